// A mutable position with value semantics. There is no undo: a copy takes a few cache lines, which is cheaper.
//
// Sites go dormant -> live -> dead, each step at most once. `open` holds the sites that no rule has killed, `live`
// those that are legal now. Placing a piece removes a row of kills from both and adds a row of wakes to `live`.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "bits.hpp"
#include "compiled_game.hpp"

namespace taiji {

constexpr int kNobody = 2;  // stands for "no seat"

template <int W> class Position {
public:
    // Without the opening, the board is empty; `restore` then sets up the whole position.
    explicit Position(const CompiledGame &game, bool with_opening = true) : game_(&game) {
        banked_[0] = game.komi;
        start_stage(0);
        must_name_komi_ = !game.komi_names.empty() && stage_index_ == 0 && !is_over_;
        if (with_opening)
            for (int action : game.opening) play(action);
    }

    const CompiledGame &game() const { return *game_; }
    const Stage &current_stage() const { return *stage_; }
    int stage_index() const { return stage_index_; }
    bool is_over() const { return is_over_; }
    int ply() const { return ply_; }
    bool swapped() const { return swapped_; }
    int colour_to_move() const { return stage_->first ^ (placed_here_ & 1) ^ int(must_name_komi_); }
    int seat_to_move() const { return colour_to_move() ^ int(swapped_); }
    int last_seat() const { return last_seat_; }  // the seat that placed last, or kNobody
    uint64_t hash() const { return hash_; }
    Mask light() const { return light_; }
    Mask dark() const { return dark_; }
    Mask covered() const { return covered_; }
    const uint64_t *live() const { return live_; }
    const uint64_t *open() const { return stage_->has_dormant_sites ? open_ : live_; }
    int supply(int slot) const { return supply_[slot]; }
    int weight(int face_class) const { return weight_[face_class]; }
    int words() const { return W == 4 ? 4 : stage_->stride; }

    bool must_name_komi() const { return must_name_komi_; }
    bool can_swap() const { return stage_->swap_after == placed_here_ && !swapped_ && !is_over_ && !must_name_komi_; }
    bool offers_swap() const {
        return must_name_komi_ || (stage_->swap_after == placed_here_ + 1 && !swapped_ && !is_over_);
    }  // to the opponent, after this move
    // Returns how many moves lie before the last chance to swap, that chance included; 0 if there is none.
    int moves_to_swap() const {
        return swapped_ || stage_->swap_after < placed_here_ ? 0
                                                             : 1 + stage_->swap_after - placed_here_ + must_name_komi_;
    }
    // Returns the first seat's lead in half points from earlier stages and the komi.
    int64_t banked_lead() const { return banked_[0] - banked_[1]; }

    bool is_legal(int action) const {
        if (action < 0 || action >= game_->action_count || is_over_) return false;
        if (action == game_->swap_action) return can_swap();
        if (!game_->is_placement(action)) return must_name_komi_;
        return !must_name_komi_ && is_legal_placement(action);
    }
    // The same for a placement while no komi has to be named.
    bool is_legal_placement(int action) const {
        const Action &a = game_->actions[size_t(action)];
        return a.stage == stage_index_ && (live_[a.site / 64] >> (a.site % 64) & 1) && supply_[a.slot];
    }

    // Returns the number of legal actions, including the swap.
    int choices() const {
        if (is_over_) return 0;
        if (must_name_komi_) return int(game_->komi_names.size());
        int n = can_swap();
        for (size_t c = 0; c < stage_->classes.size(); c++)
            if (weight_[c]) n += weight_[c] * live_of_class(stage_->classes[c]);
        return n;
    }

    // Calls f(action) for every legal action: class by class, ascending within a class, the swap last.
    template <class F> void for_each_choice(F &&f) const {
        if (is_over_) return;
        if (must_name_komi_) {
            for (int action = game_->swap_action + 1; action < game_->action_count; action++) f(action);
            return;
        }
        for (size_t c = 0; c < stage_->classes.size(); c++) {
            const FaceClass &k = stage_->classes[c];
            if (!weight_[c]) continue;
            bool all = weight_[c] == k.faces;
            for (int w = k.word_begin; w < k.word_end; w++)
                for (uint64_t left = live_[w]; left; left &= left - 1) {
                    const Site &site = stage_->site[w * 64 + std::countr_zero(left)];
                    for (uint32_t a = site.first_action; a < site.first_action + site.faces; a++)
                        if (all || supply_[game_->actions[a].slot]) f(int(a));
                }
        }
        if (can_swap()) f(game_->swap_action);
    }

    // Plays an action without checking that it is legal.
    void play(int action) {
        ply_++;
        if (!game_->is_placement(action)) return choose(action);
        const Action &a = game_->actions[action];
        hash_ += a.key;
        last_seat_ = uint8_t(seat_to_move());
        place(a);
        if (!anything_live()) advance_stage();
    }

    // Sets up the placements of each stage, in any order, on a starting position; their legality is not checked.
    void restore(const std::vector<std::vector<int>> &placed, bool swapped, int komi_action) {
        if (komi_action >= 0) play(komi_action);
        if (swapped && can_swap()) play(game_->swap_action);
        for (size_t stage = 0; stage < placed.size(); stage++) {
            if (int(stage) != stage_index_) continue;  // skipped: nothing could be placed
            for (int action : placed[stage]) {
                const Action &a = game_->actions[action];
                ply_++;
                hash_ += a.key;
                last_seat_ = uint8_t(seat_to_move());
                place(a);
                if (swapped && can_swap()) play(game_->swap_action);
            }
            if (stage + 1 < placed.size() || !anything_live()) advance_stage();
        }
    }

    // Writes the half points by seat, over all stages so far; the last-placement bonus counts once the stage has ended.
    void scores(int64_t half_points[2]) const {
        for (int seat = 0; seat < 2; seat++)
            half_points[seat] = banked_[seat] + 2 * points(stage_->score, seat ^ int(swapped_));
        if (is_over_ && last_seat_ != kNobody) half_points[last_seat_] += stage_->last_bonus;
    }

    // Returns the seat that wins a finished game with these scores, or kNobody for a draw.
    int winner(const int64_t half_points[2]) const {
        if (half_points[0] != half_points[1]) return half_points[0] > half_points[1] ? 0 : 1;
        for (const CompiledTally &tally : stage_->tiebreak) {
            int64_t first = points(tally, int(swapped_)), second = points(tally, 1 ^ int(swapped_));
            if (first != second) return first > second ? 0 : 1;
        }
        switch (game_->tie) {
            case Tie::Light: return int(swapped_);
            case Tie::Dark: return 1 ^ int(swapped_);
            case Tie::Last: return last_seat_;
            case Tie::Draw: return kNobody;
        }
        return kNobody;
    }

    int64_t points(const CompiledTally &tally, int colour) const { return tally.points(tally_cells(tally, colour)); }

    // Estimates Light's immediate gain from a placement: symbols covered, or own squares touched.
    int gain(int action) const {
        if (!game_->is_placement(action)) return 0;
        if (stage_->score.symbols) {
            Mask cells = game_->actions[action].cells;
            return count(cells & scoring_cells(1)) - count(cells & scoring_cells(0));
        }
        const Face &adjacent = game_->adjacent[action];
        return count(adjacent.light & light_) - count(adjacent.dark & dark_);
    }

    // Returns the cells that have a symbol of a colour, covered or not.
    Mask symbols(int colour) const { return stage_->printed ? stage_->symbols[colour] : below_[colour]; }

    // Returns the cells that score for a colour: its squares, or its uncovered symbols.
    Mask scoring_cells(int colour) const { return tally_cells(stage_->score, colour); }

private:
    template <int> friend class Playout;

    // Swaps colours or names the komi. The komi is banked with its colour as long as the first stage lasts.
    void choose(int action) {
        hash_ += game_->key_of_choice(action);
        if (action == game_->swap_action) {
            swapped_ = true;
            if (stage_index_ == 0) std::swap(banked_[0], banked_[1]);
        } else {
            must_name_komi_ = false;
            banked_[int(swapped_)] += game_->named_komi(action);
        }
    }

    Mask tally_cells(const Tally &tally, int colour) const {
        if (!tally.symbols) return colour ? dark_ : light_;
        return symbols(colour) & ~covered_;
    }

    int live_of_class(const FaceClass &k) const {
        int n = 0;
        // A class has few words: Clang's vectors take longer to set up than to count.
#if defined(__clang__)
#pragma clang loop vectorize(disable)
#endif
        for (int w = k.word_begin; w < k.word_end; w++) n += count(live_[w]);
        return n;
    }

    bool anything_live() const {
        for (size_t c = 0; c < stage_->classes.size(); c++) {
            const FaceClass &k = stage_->classes[c];
            if (!weight_[c]) continue;
            for (int w = k.word_begin; w < k.word_end; w++)
                if (live_[w]) return true;
        }
        return false;
    }

    // Four words of a row as one vector. Rows are multiples of four words; a loop that does not know it tests at run
    // time whether rows overlap and how many vectors there are.
    typedef uint64_t Four __attribute__((vector_size(32), aligned(8), may_alias));
    static Four &four(uint64_t *row) { return *reinterpret_cast<Four *>(row); }
    static const Four &four(const uint64_t *row) { return *reinterpret_cast<const Four *>(row); }

    // Places a piece and updates the live sites.
    void place(const Action &a) {
        light_ |= a.light;
        dark_ |= a.dark;
        covered_ |= a.cells;
        if (--supply_[a.slot] == 0) update_weights();
        const uint64_t *kills = stage_->kills(a.site);
        int n = words();
        if (!stage_->has_dormant_sites) {
            for (int i = 0; i < n; i += 4) four(live_ + i) &= ~four(kills + i);
            if (stage_->has_forbidden_blocks) kill_block_fillers(live_, a.site);
        } else {
            for (int i = 0; i < n; i += 4) four(open_ + i) &= ~four(kills + i);
            if (stage_->has_forbidden_blocks) kill_block_fillers(open_, a.site);
            wake(a.site);
            if (!stage_->count_tests.empty()) drop_failing_sites(a);
        }
        placed_here_++;
    }

    void wake(int site) {
        int n = words();
        if (!stage_->has_wakes) {  // only the first placement was restricted
            for (int i = 0; i < n; i++) live_[i] = open_[i];
            return;
        }
        const uint64_t *wakes = stage_->wakes(site);
        uint64_t before = placed_here_ ? ~uint64_t(0) : 0;
        for (int i = 0; i < n; i += 4)
            four(live_ + i) = ((four(live_ + i) & before) | four(wakes + i)) & four(open_ + i);
    }

    // Kills every site that would fill a forbidden block which overlaps this site.
    void kill_block_fillers(uint64_t *row, int s) {
        const Site &site = stage_->site[s];
        const int n = words();
        // Read once: the compiler must assume that a row holds them. Loaded as one vector, the covered cells would also
        // wait for the two words that have just been stored.
        const Mask covered = covered_;
        const Mask *blocks = stage_->blocks.data();
        const uint64_t *sites = stage_->covers(0);
        const size_t stride = size_t(stage_->stride);
        const uint16_t *end = stage_->near_blocks.data() + site.blocks_end;
        for (const uint16_t *block = stage_->near_blocks.data() + site.blocks_begin; block != end; block++) {
            const Mask left = blocks[*block] & ~covered;
            const int k = count(left);
            if (k >= 1 && k <= 3) {  // the same work for one, two and three cells: no branch to mispredict
                const Mask others = left & (left - 1), last = others & (others - 1);
                const int first = lowest(left), second = others ? lowest(others) : first;
                const uint64_t *x = sites + size_t(first) * stride, *y = sites + size_t(second) * stride;
                const uint64_t *z = sites + size_t(last ? lowest(last) : first) * stride;
                for (int i = 0; i < n; i += 4) four(row + i) &= ~(four(x + i) & four(y + i) & four(z + i));
            } else {
                for (int i = 0; i < n; i++) {
                    uint64_t all = ~uint64_t(0);
                    for_each(left, [&](int cell) { all &= sites[size_t(cell) * stride + size_t(i)]; });
                    row[i] &= ~all;
                }
            }
        }
    }

    void update_weights() {
        for (size_t c = 0; c < stage_->classes.size(); c++) {
            int weight = 0;
            for (auto [slot, n] : stage_->classes[c].slots) weight += supply_[slot] ? n : 0;
            weight_[c] = uint8_t(weight);
        }
    }

    // Starts the next stage with a legal placement, or ends the game.
    void advance_stage() {
        while (true) {
            is_over_ = true;  // so that scores() adds the last-placement bonus
            if (stage_index_ + 1 == int(game_->stages.size())) return;
            scores(banked_);
            below_[0] = light_;
            below_[1] = dark_;
            ground_ = covered_;
            start_stage(stage_index_ + 1);
            if (anything_live()) return;
        }
    }

    void start_stage(int index) {
        stage_index_ = uint8_t(index);
        stage_ = &game_->stages[index];
        is_over_ = false;
        placed_here_ = 0;
        light_ = dark_ = covered_ = 0;
        std::copy(stage_->supply.begin(), stage_->supply.end(), supply_);
        std::copy(stage_->weights.begin(), stage_->weights.end(), weight_);
        std::copy(stage_->open.begin(), stage_->open.end(), open_);
        std::copy(stage_->live.begin(), stage_->live.end(), live_);
        std::fill(live_ + stage_->stride, live_ + stage_->row_words(), 0);
        if (stage_->is_level) kill_uneven_sites();
        if (!stage_->ground_tests.empty()) apply_ground_tests();
        if (index == 0 && !anything_live()) advance_stage();
    }

    // Kills every site that lies partly on pieces of the stage below and partly next to them.
    void kill_uneven_sites() {
        const int n = words();
        uint64_t on[W] = {}, off[W] = {};
        for (int cell = 0; cell < stage_->cells; cell++) {
            const uint64_t *sites = stage_->covers(cell);
            uint64_t *row = (ground_ >> cell & 1) ? on : off;
            for (int i = 0; i < n; i++) row[i] |= sites[i];
        }
        for (int i = 0; i < n; i++) {
            live_[i] &= ~(on[i] & off[i]);
            open_[i] &= ~(on[i] & off[i]);
        }
    }

    // Kills the sites that the pieces of the stage below forbid, for the first placement or for all.
    void apply_ground_tests() {
        for (const CountTest &test : stage_->ground_tests)
            for (int w = 0; w < stage_->words; w++)
                for (uint64_t left = open_[w]; left; left &= left - 1) {
                    if (test.passes(w * 64 + std::countr_zero(left), ground_)) continue;
                    live_[w] &= ~(left & -left);
                    if (test.when == When::Always) open_[w] &= ~(left & -left);
                }
    }

    // Takes the sites out of the live row that fail a count test after this placement.
    void drop_failing_sites(const Action &a) {
        if (a.kind < stage_->kind_masks) set_kind_mask(a.kind, kind_mask(a.kind) | a.cells);
        for (int w = 0; w < stage_->words; w++)
            for (uint64_t left = live_[w]; left; left &= left - 1) {
                int s = w * 64 + std::countr_zero(left);
                for (const CountTest &test : stage_->count_tests)
                    if (!test.passes(s, plane_cells(test.plane, s))) live_[w] &= ~(left & -left);
            }
    }

    Mask plane_cells(Plane plane, int s) const {
        switch (plane) {
            case Plane::Piece: return stage_->site_cells[s];
            case Plane::Covered: return covered_;
            case Plane::After: return covered_ | stage_->site_cells[s];
            case Plane::Kind: return kind_mask(stage_->site[s].kind);
            case Plane::Ground: return ground_;
        }
        return 0;
    }

    // The cells of each kind lie behind the live row, in games that count them.
    Mask kind_mask(int kind) const {
        const uint64_t *words = live_ + stage_->stride + 2 * kind;
        return mask(words[0], words[1]);
    }
    void set_kind_mask(int kind, Mask cells) {
        live_[stage_->stride + 2 * kind] = low(cells);
        live_[stage_->stride + 2 * kind + 1] = high(cells);
    }

    alignas(kAlignment) uint64_t live_[W];
    alignas(kAlignment) uint64_t open_[W];
    Mask light_ = 0, dark_ = 0, covered_ = 0, ground_ = 0, below_[2] = {0, 0};
    const CompiledGame *game_;
    const Stage *stage_ = nullptr;
    uint64_t hash_ = 0;
    int64_t banked_[2] = {0, 0};
    uint16_t ply_ = 0, placed_here_ = 0;
    uint8_t stage_index_ = 0, last_seat_ = kNobody;
    bool swapped_ = false, is_over_ = false, must_name_komi_ = false;
    uint8_t supply_[kMaxSlots], weight_[kMaxClasses];
};

// Calls f with the smallest W whose Position<W> fits the game, as std::integral_constant<int, W>.
template <class F> decltype(auto) with_width(const CompiledGame &game, F &&f) {
    if (game.max_row_words <= 4) return f(std::integral_constant<int, 4>{});
    if (game.max_row_words <= 32) return f(std::integral_constant<int, 32>{});
    return f(std::integral_constant<int, kMaxWords>{});
}

}  // namespace taiji
