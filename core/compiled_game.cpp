#include "compiled_game.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "random.hpp"

namespace taiji {
namespace {

Mask join(MaskWords words) { return mask(words.first, words.second); }

void set_bit(Rows &rows, size_t row, int stride, int site) {
    rows[row * stride + site / 64] |= uint64_t(1) << (site % 64);
}

// The faces that a footprint offers, as pairs (slot, count); footprints with equal offers share a class.
using Offer = std::vector<std::pair<int, int>>;

struct Numbering {
    std::vector<int> site_of;  // footprint -> site
    std::vector<FaceClass> classes;
    std::vector<int> class_of;  // footprint -> class
};

Numbering number_sites(const StageSpec &spec) {
    std::map<std::pair<int, Offer>, std::vector<int>> members;
    size_t placement = 0;
    for (size_t f = 0; f < spec.cells.size(); f++) {
        std::map<int, int> offer;
        for (int i = 0; i < spec.faces[f]; i++) offer[spec.slots[placement++]]++;
        members[{spec.kinds[f], Offer(offer.begin(), offer.end())}].push_back(int(f));
    }
    if (members.size() > kMaxClasses)
        throw std::invalid_argument("too many classes of pieces (the kernel supports 64)");
    Numbering result{std::vector<int>(spec.cells.size()), {}, std::vector<int>(spec.cells.size())};
    int word = 0;
    for (const auto &[key, footprints] : members) {
        int faces = 0;
        for (auto [slot, n] : key.second) faces += n;
        int words = int(footprints.size() + 63) / 64;
        for (size_t i = 0; i < footprints.size(); i++) {
            result.site_of[footprints[i]] = word * 64 + int(i);
            result.class_of[footprints[i]] = int(result.classes.size());
        }
        result.classes.push_back({word, word + words, faces, key.second});
        word += words;
    }
    return result;
}

void check_size(const StageSpec &spec, const Numbering &numbering) {
    if (spec.supply.size() > kMaxSlots) throw std::invalid_argument("too many supply slots (the kernel supports 64)");
    if (!numbering.classes.empty() && numbering.classes.back().word_end > kMaxWords)
        throw std::invalid_argument("too many footprints in a stage (the kernel supports 16,384)");
    if (spec.width * spec.height > kMaxCells) throw std::invalid_argument("too many cells (the kernel supports 128)");
}

void fill_rows(Stage &stage, const StageSpec &spec, const Numbering &numbering) {
    size_t row = size_t(stage.stride);
    stage.kill.assign(stage.sites * row, 0);
    stage.wake.assign(stage.sites * row, 0);
    stage.at_cell.assign(stage.cells * row, 0);
    stage.open.assign(row, 0);
    stage.live.assign(row, 0);
    Mask first = join(spec.first_covers);
    for (size_t f = 0; f < spec.cells.size(); f++) {
        int s = numbering.site_of[f];
        Mask cells = stage.site_cells[s], halo = stage.site_halo[s];
        for_each(cells, [&](int cell) { set_bit(stage.at_cell, cell, stage.stride, s); });
        bool fills =
            std::any_of(stage.blocks.begin(), stage.blocks.end(), [&](Mask block) { return (block & ~cells) == 0; });
        if (!fills) set_bit(stage.open, 0, stage.stride, s);
        if (!fills && (cells & first) == first) set_bit(stage.live, 0, stage.stride, s);
        for (size_t g = 0; g < spec.cells.size(); g++) {
            int t = numbering.site_of[g];
            bool touch = (halo & stage.site_cells[t]) != 0;
            bool apart = spec.same_kind_apart && spec.kinds[f] == spec.kinds[g] && touch;
            if ((cells & stage.site_cells[t]) != 0 || apart) set_bit(stage.kill, s, stage.stride, t);
            if (touch) set_bit(stage.wake, s, stage.stride, t);
        }
    }
}

bool never_runs_out(const StageSpec &spec) {
    std::vector<int> smallest(spec.supply.size(), kMaxCells + 1);
    size_t placement = 0;
    for (size_t f = 0; f < spec.cells.size(); f++)
        for (int i = 0; i < spec.faces[f]; i++, placement++)
            smallest[spec.slots[placement]] = std::min(smallest[spec.slots[placement]], count(join(spec.cells[f])));
    for (size_t slot = 0; slot < smallest.size(); slot++)
        if (smallest[slot] <= kMaxCells && spec.supply[slot] < spec.width * spec.height / smallest[slot]) return false;
    return true;
}

Stage build_stage(const StageSpec &spec, const Numbering &numbering, int first_action) {
    Stage stage;
    stage.words = numbering.classes.empty() ? 0 : numbering.classes.back().word_end;
    stage.stride = std::max(4, (stage.words + 3) / 4 * 4);
    stage.sites = stage.words * 64;
    stage.width = spec.width;
    stage.height = spec.height;
    stage.cells = spec.width * spec.height;
    stage.first_action = first_action;
    stage.actions = int(spec.light.size());
    stage.first = uint8_t(spec.first);
    stage.must_touch = spec.must_touch;
    stage.level_ground = spec.level_ground;
    stage.swap = spec.swap;
    stage.has_dormant_sites = spec.must_touch || join(spec.first_covers) != 0;
    stage.has_forbidden_blocks = !spec.blocks.empty();
    stage.last_bonus = spec.last_bonus;
    stage.scoring = spec.scoring;
    stage.tiebreak = spec.tiebreak;
    stage.printed = spec.symbols.has_value();
    if (spec.symbols) {
        stage.symbols[0] = join(spec.symbols->first);
        stage.symbols[1] = join(spec.symbols->second);
    }
    for (int n : spec.supply) stage.supply.push_back(uint8_t(std::min(n, 255)));
    stage.classes = numbering.classes;
    for (const FaceClass &c : stage.classes) {
        int weight = 0;
        for (auto [slot, n] : c.slots) weight += stage.supply[slot] ? n : 0;
        if (c.faces > 255) throw std::invalid_argument("too many faces per footprint (the kernel supports 255)");
        stage.weights.push_back(uint8_t(weight));
    }
    for (MaskWords block : spec.blocks) stage.blocks.push_back(join(block));
    stage.site.assign(stage.sites, Site{});
    stage.site_cells.assign(stage.sites, 0);
    stage.site_halo.assign(stage.sites, 0);
    uint32_t action = uint32_t(first_action);
    for (size_t f = 0; f < spec.cells.size(); f++) {
        int s = numbering.site_of[f];
        stage.site_cells[s] = join(spec.cells[f]);
        stage.site_halo[s] = join(spec.halos[f]);
        Site &site = stage.site[s];
        site = {action,
                uint16_t(spec.faces[f]),
                uint8_t(numbering.class_of[f]),
                uint8_t(spec.kinds[f]),
                uint32_t(stage.near_blocks.size()),
                0};
        for (size_t b = 0; b < stage.blocks.size(); b++)
            if ((stage.blocks[b] & stage.site_cells[s]) != 0) stage.near_blocks.push_back(uint16_t(b));
        site.blocks_end = uint32_t(stage.near_blocks.size());
        action += uint32_t(spec.faces[f]);
    }
    fill_rows(stage, spec, numbering);
    stage.overlap_only = stage.classes.size() == 1 && !stage.has_dormant_sites && !stage.has_forbidden_blocks &&
                         !spec.same_kind_apart && never_runs_out(spec);
    return stage;
}

// One key per cell, kind and colour, so that equal boards have equal hashes whatever the order of moves.
class Keys {
public:
    uint64_t of(int stage, int cell, int kind, int colour) {
        return mix(((uint64_t(stage) * 131 + uint64_t(cell)) * 67 + uint64_t(kind)) * 3 + uint64_t(colour) + 1);
    }
    uint64_t of_slot(int stage, int slot) { return mix(0x5107000000ull + uint64_t(stage) * 256 + uint64_t(slot)); }

    static uint64_t mix(uint64_t n) {
        uint64_t state = n * 0xA0761D6478BD642Full;
        splitmix(state);
        return splitmix(state);
    }
};

uint64_t key_of(const Action &action) {
    Keys keys;
    uint64_t sum = keys.of_slot(action.stage, action.slot);
    for_each(action.cells, [&](int cell) {
        int colour = (action.light >> cell & 1) ? 0 : (action.dark >> cell & 1) ? 1 : 2;
        sum += keys.of(action.stage, cell, action.kind, colour);
    });
    return sum;
}

Mask mapped(Mask m, const std::vector<int> &image) {
    Mask result = 0;
    for_each(m, [&](int cell) { result |= bit(image[cell]); });
    return result;
}

// Returns the neighbours of these cells, without the cells themselves.
Mask around(const StageSpec &spec, Mask cells) {
    Mask result = 0;
    for_each(cells, [&](int cell) {
        int x = cell % spec.width, y = cell / spec.width;
        for (int v = std::max(0, y - 1); v <= std::min(spec.height - 1, y + 1); v++)
            for (int u = std::max(0, x - 1); u <= std::min(spec.width - 1, x + 1); u++)
                if (spec.scoring.king || u == x || v == y) result |= bit(v * spec.width + u);
    });
    return result & ~cells;
}

std::vector<uint16_t> map_actions(const CompiledGame &game, const std::vector<int> &image) {
    using Key = std::tuple<int, int, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t>;
    auto key = [](const Action &a, Mask cells, Mask light, Mask dark) {
        return Key{a.stage, a.kind, low(cells), high(cells), low(light), high(light), low(dark), high(dark)};
    };
    std::map<Key, int> by_key;
    for (size_t i = 0; i < game.actions.size(); i++) {
        const Action &a = game.actions[i];
        by_key[key(a, a.cells, a.light, a.dark)] = int(i);
    }
    std::vector<uint16_t> result(game.action_count);
    for (size_t i = 0; i < game.actions.size(); i++) {
        const Action &a = game.actions[i];
        auto it = by_key.find(key(a, mapped(a.cells, image), mapped(a.light, image), mapped(a.dark, image)));
        if (it == by_key.end() || game.actions[it->second].slot != a.slot) return {};
        result[i] = uint16_t(it->second);
    }
    if (game.swap_action >= 0) result[game.swap_action] = uint16_t(game.swap_action);
    return result;
}

}  // namespace

CompiledGame::CompiledGame(const std::vector<StageSpec> &specs, int tie_rule, bool has_swap,
                           const std::vector<std::vector<int>> &cell_maps) {
    tie = Tie(tie_rule);
    for (const StageSpec &spec : specs) {
        Numbering numbering = number_sites(spec);
        check_size(spec, numbering);
        int stage_index = int(stages.size());
        size_t placement = 0;
        int first_action = int(actions.size());
        for (size_t f = 0; f < spec.cells.size(); f++)
            for (int i = 0; i < spec.faces[f]; i++, placement++) {
                Action a{join(spec.light[placement]),
                         join(spec.dark[placement]),
                         join(spec.cells[f]),
                         0,
                         uint16_t(numbering.site_of[f]),
                         uint8_t(spec.slots[placement]),
                         uint8_t(spec.kinds[f]),
                         uint8_t(stage_index)};
                a.key = key_of(a);
                actions.push_back(a);
                faces.push_back({a.light, a.dark});
                adjacent.push_back({around(spec, a.light), around(spec, a.dark)});
            }
        stages.push_back(build_stage(spec, numbering, first_action));
        max_row_words = std::max(max_row_words, stages.back().stride);
        int smallest = kMaxCells;
        for (MaskWords cells : spec.cells) smallest = std::min(smallest, count(join(cells)));
        max_plies += spec.width * spec.height / std::max(1, smallest) + 1;
    }
    swap_action = has_swap ? int(actions.size()) : -1;
    action_count = int(actions.size()) + has_swap;
    if (action_count > kMaxActions) throw std::invalid_argument("too many actions (the kernel supports 65,535)");
    if (max_plies > kMaxPlies) throw std::invalid_argument("the game may be too long (the kernel supports 300 plies)");
    swap_key = Keys::mix(0x5A4B0000000000ull);
    for (const std::vector<int> &image : cell_maps) {
        std::vector<uint16_t> moved = map_actions(*this, image);
        if (moved.empty()) continue;
        images.push_back(std::move(moved));
        cell_images.push_back(image);
    }
}

}  // namespace taiji
