// What the solver learns from a site state without searching it: the sites that can still become live, bounds of the
// points and of the pieces to come, and a hash that is equal for states with the same rest of the game.
#pragma once

#include "site_state.hpp"
#include "transposition_table.hpp"

namespace taiji {

// Two hashes of a sequence of words.
class WordHash {
public:
    void add(uint64_t a, uint64_t b) {
        key_.index = folded(a ^ 0x9E3779B97F4A7C15u ^ key_.index, b ^ 0xC2B2AE3D27D4EB4Fu);
        key_.verification = folded(a ^ 0xA0761D6478BD642Fu, b ^ 0xE7037ED1A0B428DBu ^ key_.verification);
    }
    void add(Mask m) { add(low(m), high(m)); }
    PositionKey key() const {
        return {folded(key_.index, 0xD6E8FEB86659FD93u), folded(key_.verification, 0xFF51AFD7ED558CCDu)};
    }

private:
    // The halves of a product are mixed; a factor of 0 would forget the other.
    static uint64_t folded(uint64_t a, uint64_t b) {
        const UInt128 product = UInt128(a) * b;
        return uint64_t(product) ^ uint64_t(product >> 64) ^ (a + b * 0x94D049BB133111EBu);
    }

    PositionKey key_{0x243F6A8885A308D3u, 0x13198A2E03707344u};
};

template <int W> class SiteBounds {
public:
    using Board = SiteFrame<W>;
    using State = SiteState<W>;

    SiteBounds(const Board &frame, const State &state) : frame_(frame), state_(state) {
        int supplied = 0;
        for (uint8_t n : state.supply) supplied += n;
        pieces_ = std::min(count(state.cells) / frame.min_cells, supplied);
        if (frame.has_groups)
            for (int c = 0; c < 2; c++) bound_groups(c);
    }

    int pieces() const { return pieces_; }  // bound of those that are still placed

    // Writes bounds of Light's lead at the end; only if symbols are counted.
    void bound_symbols(int64_t &least, int64_t &most) const {
        int points[2], coverable[2];
        for (int c = 0; c < 2; c++) {
            points[c] = count(frame_.symbols[c] & ~state_.covered);
            coverable[c] = count(frame_.symbols[c] & state_.cells);
        }
        // At least one piece is placed, and each changes the lead by at most this.
        const int lowest = std::min(int(state_.least_gain), pieces_ * state_.least_gain);
        const int highest = std::max(int(state_.most_gain), pieces_ * state_.most_gain);
        least = points[0] - points[1] + std::max(-coverable[0], lowest);
        most = points[0] - points[1] + std::min(coverable[1], highest);
    }

    // Writes bounds of Light's lead at the end; only if there are groups, whose sizes are added up.
    void bound_sizes(int64_t &least, int64_t &most) const {
        least = least_[0] - most_[1];
        most = most_[0] - least_[1];
    }

    // Returns whether the sizes of groups have bounds.
    bool is_bounded() const {
        const Tally &score = frame_.stage->score;
        return frame_.has_groups && frame_.pieces_connect && score.linear && score.first == 1;
    }

    PositionKey key() const {
        WordHash hash;
        for (int i = 0; i < frame_.words(); i += 2) {  // equal whatever W is
            hash.add(state_.open.words[i], state_.open.words[i + 1]);
            hash.add(state_.live.words[i], state_.live.words[i + 1]);
        }
        if (frame_.has_blocks)
            hash.add(frame_.small_blocks ? state_.covered & frame_.around(state_.cells) : state_.covered);
        if (frame_.has_groups) {
            for (int c = 0; c < 2; c++) add_groups(hash, c);
        } else if (frame_.scores_squares) {
            hash.add(state_.squares[0]);
            hash.add(state_.squares[1]);
        }
        int64_t lead = 0;
        if (frame_.counts_symbols && frame_.stage->tiebreak.empty())
            lead = count(frame_.symbols[0] & ~state_.covered) - count(frame_.symbols[1] & ~state_.covered);
        else if (!frame_.has_groups) hash.add(state_.covered);
        hash.add(uint64_t(state_.base), uint64_t(lead * 4 + state_.colour * 2 + state_.swapped));
        add_supply(hash);
        return hash.key();
    }

private:
    // The parts of the cells that can still be covered, as groups join them; with the squares that may be added to
    // each and the sizes of its groups.
    struct Regions {
        int n = 0;
        Mask cells[kMaxCells];
        int room[kMaxCells], total[kMaxCells];

        // Adds a group's size to the regions it touches, which become one.
        void join(Mask around, int size) {
            int into = -1;
            for (int r = 0; r < n; r++) {
                if (!(cells[r] & around)) continue;
                if (into < 0) {
                    into = r;
                    total[r] += size;
                    continue;
                }
                cells[into] |= cells[r];
                room[into] += room[r];
                total[into] += total[r];
                n--;
                cells[r] = cells[n];
                room[r] = room[n];
                total[r--] = total[n];
            }
        }
    };

    // Bounds the sum of the largest groups: in a region, as many squares are added as its pieces have, and all of its
    // groups may be joined.
    void bound_groups(int c) {
        const SiteGroups &groups = state_.groups;
        const CompiledTally &score = frame_.stage->score;
        least_[c] = groups.sizes(frame_.ranks, c).score(score);
        counting_[c] = ~uint64_t(0);
        if (!is_bounded()) return;
        Regions regions;
        for (Mask left = state_.cells; left; regions.n++) {
            Mask region = bit(lowest(left));
            for (Mask grown = frame_.joined(region) & left; grown != region; grown = frame_.joined(region) & left)
                region = grown;
            left &= ~region;
            regions.cells[regions.n] = region;
            regions.room[regions.n] = std::min(count(region) / frame_.min_cells, pieces_) * frame_.most[c];
            regions.total[regions.n] = 0;
        }
        for (int i = 0; i < groups.n[c]; i++) regions.join(groups.around[c][i], groups.size[c][i]);
        Sizes largest = groups.settled[c];
        Mask growing = 0;
        for (int r = 0; r < regions.n; r++) {
            const int total = regions.total[r] + std::min(regions.room[r], pieces_ * frame_.most[c]);
            largest.add(frame_.ranks, std::min(total, int(score.value.size()) - 1));
            if (total > least_[c]) growing |= regions.cells[r];
        }
        most_[c] = largest.score(score);
        if (frame_.ranks.last > 1) return;
        counting_[c] = 0;
        for (int i = 0; i < groups.n[c]; i++)
            if (groups.around[c][i] & growing) counting_[c] |= uint64_t(1) << i;
    }

    // Groups that can no longer count are left out.
    void add_groups(WordHash &hash, int c) const {
        const SiteGroups &groups = state_.groups;
        uint64_t first = 0, second = 0;  // in any order of groups
        const Sizes &settled = groups.settled[c];
        for (int i = 0; i < groups.n[c]; i++) {
            if (!(counting_[c] >> i & 1)) continue;
            WordHash group;
            group.add(groups.around[c][i]);
            group.add(groups.size[c][i], 0);
            first += group.key().index;
            second += group.key().verification;
        }
        uint64_t sizes = 0;
        if (is_bounded() && frame_.ranks.last == 1) sizes = uint64_t(least_[c]);
        else
            for (int r = 1; r <= kMaxRanks; r++) sizes = sizes * 256 + uint64_t(settled.rank(r));
        hash.add(first, second);
        hash.add(sizes, 0);
    }

    // More pieces of a slot than can still be placed are as good as that many.
    void add_supply(WordHash &hash) const {
        uint64_t words[kMaxSlots / 8] = {};
        const size_t n = frame_.stage->supply.size();
        for (size_t slot = 0; slot < n; slot++)
            words[slot / 8] |= uint64_t(std::min(int(state_.supply[slot]), pieces_)) << slot % 8 * 8;
        for (size_t i = 0; i * 8 < n; i += 2) hash.add(words[i], words[i + 1]);
    }

    const Board &frame_;
    const State &state_;
    int pieces_ = 0;
    int64_t least_[2] = {0, 0}, most_[2] = {0, 0};
    uint64_t counting_[2] = {0, 0};  // groups that can still count
};

}  // namespace taiji
