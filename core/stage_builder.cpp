// Builds the tables of a stage: numbers its sites, then adds its tests.

#include <algorithm>
#include <map>
#include <stdexcept>

#include "scoring.hpp"
#include "test_rows.hpp"

namespace taiji {
namespace {

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

bool never_runs_out(const StageSpec &spec) {
    std::vector<int> smallest(spec.supply.size(), kMaxCells + 1);
    size_t placement = 0;
    for (size_t f = 0; f < spec.cells.size(); f++)
        for (int i = 0; i < spec.faces[f]; i++, placement++)
            smallest[spec.slots[placement]] =
                std::min(smallest[spec.slots[placement]], count(join_words(spec.cells[f])));
    for (size_t slot = 0; slot < smallest.size(); slot++)
        if (smallest[slot] <= kMaxCells && spec.supply[slot] < spec.width * spec.height / smallest[slot]) return false;
    return true;
}

void number_actions(Stage &stage, const StageSpec &spec, const std::vector<int> &class_of) {
    stage.site.assign(stage.sites, Site{});
    stage.site_cells.assign(stage.sites, 0);
    uint32_t action = uint32_t(stage.first_action);
    for (size_t f = 0; f < spec.cells.size(); f++) {
        int s = stage.site_of[f];
        stage.site_cells[s] = join_words(spec.cells[f]);
        stage.site[s] = {action, uint16_t(spec.faces[f]), uint8_t(class_of[f]), uint8_t(spec.kinds[f]), 0, 0};
        action += uint32_t(spec.faces[f]);
    }
}

// Lists, for every site, the forbidden blocks that it meets.
void list_near_blocks(Stage &stage) {
    if (stage.blocks.size() > kMaxBlocks) throw std::invalid_argument("too many blocks (the kernel supports 65,535)");
    for (int s : stage.site_of) {
        stage.site[s].blocks_begin = uint32_t(stage.near_blocks.size());
        for (size_t b = 0; b < stage.blocks.size(); b++)
            if ((stage.blocks[b] & stage.site_cells[s]) != 0) stage.near_blocks.push_back(uint16_t(b));
        stage.site[s].blocks_end = uint32_t(stage.near_blocks.size());
    }
}

}  // namespace

Stage build_stage(const StageSpec &spec, int first_action) {
    Numbering numbering = number_sites(spec);
    check_size(spec, numbering);
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
    stage.swap_after = spec.swap_after;
    stage.last_bonus = spec.last_bonus;
    stage.score = {spec.score, score_function(spec.score, spec.width, stage.cells)};
    for (const Tally &tally : spec.tiebreak)
        stage.tiebreak.push_back({tally, score_function(tally, spec.width, stage.cells)});
    stage.scores_symbols = spec.score.symbols || std::any_of(spec.tiebreak.begin(), spec.tiebreak.end(),
                                                             [](const Tally &tally) { return tally.symbols; });
    stage.printed = spec.symbols.has_value();
    if (spec.symbols) {
        stage.symbols[0] = join_words(spec.symbols->first);
        stage.symbols[1] = join_words(spec.symbols->second);
    }
    for (int n : spec.supply) stage.supply.push_back(uint8_t(std::min(n, 255)));
    stage.classes = numbering.classes;
    for (const FaceClass &c : stage.classes) {
        int weight = 0;
        for (auto [slot, n] : c.slots) weight += stage.supply[slot] ? n : 0;
        if (c.faces > 255) throw std::invalid_argument("too many faces per footprint (the kernel supports 255)");
        stage.weights.push_back(uint8_t(weight));
    }
    stage.site_of = std::move(numbering.site_of);
    number_actions(stage, spec, numbering.class_of);
    add_tests(stage, spec, stage.site_of);
    list_near_blocks(stage);
    stage.overlap_only = stage.overlap_only && stage.classes.size() == 1 && never_runs_out(spec);
    if (stage.row_words() > kMaxWords) throw std::invalid_argument("too many footprints in a stage for these rules");
    return stage;
}

}  // namespace taiji
