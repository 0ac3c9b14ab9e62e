#include "compiled_game.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "random.hpp"

namespace taiji {
namespace {

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
    for (size_t i = game.actions.size(); i < result.size(); i++) result[i] = uint16_t(i);
    return result;
}

}  // namespace

Mask neighbours(int width, int height, bool king, Mask cells) {
    Mask result = 0;
    for_each(cells, [&](int cell) {
        int x = cell % width, y = cell / width;
        for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); v++)
            for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); u++)
                if (king || u == x || v == y) result |= bit(v * width + u);
    });
    return result & ~cells;
}

CompiledGame::CompiledGame(const std::vector<StageSpec> &specs, Tie tie_rule, int fixed_komi,
                           std::vector<int> named_komis, const std::vector<int> &opening_actions,
                           const std::vector<std::vector<int>> &cell_maps) {
    tie = tie_rule;
    komi = fixed_komi;
    komi_names = std::move(named_komis);
    bool has_swap = false;
    for (const StageSpec &spec : specs) {
        int stage_index = int(stages.size());
        has_swap |= spec.swap_after >= 0;
        size_t placement = 0;
        const Stage &stage = stages.emplace_back(build_stage(spec, int(actions.size())));
        auto neighbours_of = [&](Mask cells) {
            return neighbours(spec.width, spec.height, spec.score.join == Join::King, cells);
        };
        for (size_t f = 0; f < spec.cells.size(); f++)
            for (int i = 0; i < spec.faces[f]; i++, placement++) {
                Action a{join_words(spec.light[placement]),
                         join_words(spec.dark[placement]),
                         join_words(spec.cells[f]),
                         0,
                         uint16_t(stage.site_of[f]),
                         uint8_t(spec.slots[placement]),
                         uint8_t(spec.kinds[f]),
                         uint8_t(stage_index)};
                a.key = key_of(a);
                actions.push_back(a);
                faces.push_back({a.light, a.dark});
                adjacent.push_back({neighbours_of(a.light), neighbours_of(a.dark)});
            }
        max_row_words = std::max(max_row_words, stage.row_words());
        int smallest = kMaxCells;
        for (MaskWords cells : spec.cells) smallest = std::min(smallest, count(join_words(cells)));
        max_plies += spec.width * spec.height / std::max(1, smallest) + 1;
    }
    swap_action = has_swap ? int(actions.size()) : -1;
    action_count = int(actions.size()) + has_swap + int(komi_names.size());
    max_plies += !komi_names.empty();
    if (!komi_names.empty() && (specs.empty() || specs[0].swap_after != 0))
        throw std::invalid_argument("a komi that is named needs a swap before the first placement");
    for (int action : opening_actions) {
        if (action < 0 || action >= stages[0].actions) throw std::invalid_argument("the opening has unknown actions");
        opening.push_back(uint16_t(action));
    }
    if (action_count > kMaxActions) throw std::invalid_argument("too many actions (the kernel supports 65,520)");
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
