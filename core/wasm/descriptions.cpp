#include "descriptions.hpp"

#include <algorithm>

namespace taiji {
namespace {

constexpr size_t kMaxList = 65535;
constexpr int kMaxInt = INT32_MAX;

[[noreturn]] void refuse(const char *what) { throw std::invalid_argument(what); }

bool within(MaskWords words, int cells) { return cells == kMaxCells || (join_words(words) >> cells) == 0; }

Tally read_tally(Reader &reader, int cells) {
    Tally tally;
    tally.symbols = reader.flag();
    tally.join = Join(reader.integer("join", 0, int(Join::King)));
    tally.first = reader.integer("first rank", 1, kMaxCells);
    tally.last = reader.integer("last rank", 0, kMaxInt);
    tally.fold = Fold(reader.integer("fold", 0, int(Fold::Product)));
    tally.value.resize(reader.count("values", kMaxCells + 1));
    for (int64_t &value : tally.value) value = reader.take<int64_t>();
    tally.linear = reader.flag();
    tally.monotone = reader.flag();
    if (tally.value.size() != size_t(cells) + 1) refuse("values: expected one per size of a group");
    return tally;
}

TestSpec read_test(Reader &reader, int cells) {
    TestSpec test;
    test.plane = Plane(reader.integer("plane", 0, int(Plane::Ground)));
    test.region = Region(reader.integer("region", 0, int(Region::Each)));
    test.when = When(reader.integer("when", 0, int(When::Later)));
    test.ranges.resize(reader.count("ranges", kMaxList));
    for (auto &[low, high] : test.ranges) {
        low = reader.integer("range", -kMaxCells - 1, kMaxInt);
        high = reader.integer("range", -kMaxCells - 1, kMaxInt);
    }
    test.sets = reader.masks("sets", kMaxList);
    for (MaskWords set : test.sets)
        if (!within(set, cells)) refuse("sets: outside the board");
    if (test.region == Region::Fixed && test.sets.size() != 1) refuse("region: expected one set");
    return test;
}

void check_lists(const StageSpec &stage, int cells) {
    size_t placements = 0;
    for (int faces : stage.faces) placements += size_t(faces);
    const bool fits = stage.cells.size() == stage.kinds.size() && stage.cells.size() == stage.faces.size() &&
                      placements == stage.light.size() && placements == stage.dark.size() &&
                      placements == stage.slots.size();
    if (!fits || placements > kMaxList) refuse("footprints and faces: lists of different lengths");
    for (const auto *masks : {&stage.cells, &stage.light, &stage.dark})
        for (MaskWords mask : *masks)
            if (!within(mask, cells)) refuse("footprints: outside the board");
    for (MaskWords mask : stage.cells)
        if (join_words(mask) == 0) refuse("footprints: one without cells");
    for (int slot : stage.slots)
        if (size_t(slot) >= stage.supply.size()) refuse("faces: no such supply");
}

StageSpec read_stage(Reader &reader) {
    StageSpec stage;
    stage.width = reader.integer("width", 1, kMaxCells);
    stage.height = reader.integer("height", 1, kMaxCells);
    const int cells = stage.width * stage.height;
    if (cells > kMaxCells) refuse("too many cells (the engine supports 128)");
    stage.board = reader.mask();
    stage.first = reader.integer("first colour", 0, 1);
    stage.cells = reader.masks("footprints", kMaxList);
    stage.kinds = reader.integers("kinds", 0, 255, kMaxList);
    stage.faces = reader.integers("faces", 1, 255, kMaxList);
    stage.light = reader.masks("light squares", kMaxList);
    stage.dark = reader.masks("dark squares", kMaxList);
    stage.slots = reader.integers("stocks", 0, kMaxSlots - 1, kMaxList);
    stage.supply = reader.integers("supply", 0, kMaxInt, kMaxSlots);
    for (size_t n = reader.count("tests", kMaxList); n; n--) stage.tests.push_back(read_test(reader, cells));
    stage.score = read_tally(reader, cells);
    for (size_t n = reader.count("tie-breaks", 64); n; n--) stage.tiebreak.push_back(read_tally(reader, cells));
    stage.last_bonus = reader.integer("bonus", -kMaxInt, kMaxInt);
    stage.swap_after = reader.integer("swap", -1, kMaxPlies);
    if (reader.flag()) {
        const MaskWords light = reader.mask();
        stage.symbols = {light, reader.mask()};
        if (!within(light, cells) || !within(stage.symbols->second, cells)) refuse("symbols: outside the board");
    }
    check_lists(stage, cells);
    return stage;
}

}  // namespace

CompiledGamePtr read_game(Reader reader) {
    std::vector<StageSpec> stages;
    for (size_t n = reader.count("stages", 8); n; n--) stages.push_back(read_stage(reader));
    if (stages.empty()) refuse("a game without stages");
    const Tie tie = Tie(reader.integer("tie rule", 0, int(Tie::Draw)));
    const int komi = reader.integer("komi", -kMaxInt, kMaxInt);
    const std::vector<int> komi_names = reader.integers("named komis", -kMaxInt, kMaxInt, kMaxList);
    const std::vector<int> opening = reader.integers("opening", 0, kMaxActions, kMaxPlies);
    std::vector<std::vector<int>> images(reader.count("symmetries", 8));
    const int cells = stages[0].width * stages[0].height;
    for (std::vector<int> &image : images) {
        image = reader.integers("symmetry", 0, cells - 1, kMaxCells);
        std::vector<int> sorted = image;
        std::sort(sorted.begin(), sorted.end());
        if (int(image.size()) != cells || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            refuse("symmetry: not a map of the board");
    }
    if (images.empty()) refuse("symmetries: expected at least the identity");
    reader.finish();
    return std::make_shared<const CompiledGame>(stages, tie, komi, komi_names, opening, images);
}

std::unique_ptr<AnyPosition> read_position(Reader reader, const CompiledGamePtr &game) {
    std::vector<std::vector<int>> placed(reader.count("stages", game->stages.size()));
    const int placements = int(game->actions.size());
    std::vector<Mask> covered(placed.size(), 0);
    for (size_t stage = 0; stage < placed.size(); stage++) {
        placed[stage] = reader.integers("action", 0, placements - 1, kMaxPlies);
        std::vector<int> left(game->stages[stage].supply.begin(), game->stages[stage].supply.end());
        for (int action : placed[stage]) {
            const Action &a = game->actions[size_t(action)];
            if (a.stage != stage) refuse("position: an action of another stage");
            if ((covered[stage] & a.cells) != 0) refuse("position: two pieces on one cell");
            if (left[a.slot]-- == 0) refuse("position: more pieces than the supply");
            covered[stage] |= a.cells;
        }
    }
    const bool swapped = reader.flag();
    const int komi = reader.integer("komi", -1, game->action_count - 1);
    if (komi >= 0 && (game->komi_names.empty() || komi <= game->swap_action))
        refuse("komi: not an action that names it");
    reader.finish();
    std::unique_ptr<AnyPosition> position = AnyPosition::start(game);
    position->restore(placed, swapped, komi);
    return position;
}

std::map<std::string, Tensor> read_tensors(Reader reader) {
    std::map<std::string, Tensor> tensors;
    for (size_t n = reader.count("tensors", 1000); n; n--) {
        const size_t length = reader.count("name", 100);
        const uint8_t *name = reader.take_bytes((length + 3) / 4 * 4);
        Tensor &tensor = tensors[std::string(reinterpret_cast<const char *>(name), length)];
        tensor.shape = reader.integers("shape", 1, 1 << 16, 8);
        uint64_t size = 1;
        for (int side : tensor.shape)
            if ((size *= uint64_t(side)) > (1u << 26)) refuse("tensor: too large");
        const uint8_t *values = reader.take_bytes(size_t(size) * sizeof(float));
        tensor.values.resize(size_t(size));
        std::memcpy(tensor.values.data(), values, size_t(size) * sizeof(float));
    }
    reader.finish();
    return tensors;
}

NetEncoderSpec read_encoder(Reader &reader) {
    NetEncoderSpec spec;
    spec.planes = reader.integer("planes", 1, 1000);
    spec.globals = reader.integer("globals", 1, 1000);
    spec.kinds = reader.integer("kinds", 1, NetEncoder::kMaxKinds);
    spec.rule = reader.integer("rule", 0, 1000);
    spec.rules = reader.integer("rules", 1, 1000);
    spec.depth = reader.integer("depth", 0, kMaxCells);
    spec.groups = reader.flag();
    spec.ratio = reader.flag();
    spec.policy = reader.integer("policy planes", 1, 10000);
    spec.swap = reader.flag();
    spec.by_margin = reader.flag();
    spec.board = reader.mask();
    spec.policy_index = reader.integers("policy index", -1, kMaxInt, 2 * kMaxList);
    spec.slot_order = reader.integers("stock order", 0, kMaxSlots - 1, kMaxSlots);
    spec.slot_counts = reader.integers("stock counts", 0, kMaxInt, kMaxSlots);
    return spec;
}

SearchOptions read_search_options(Reader reader) {
    SearchOptions options;
    options.method = reader.take<double>() != 0 ? Method::Grave : Method::Uct;
    options.exploration = reader.take<double>();
    options.first_play_urgency = reader.take<double>();
    options.rave_bias = reader.take<double>();
    options.grave_ref = uint32_t(reader.take<double>());
    options.amaf_min_visits = uint32_t(reader.take<double>());
    options.amaf_prior = reader.take<double>();
    options.expand_visits = uint32_t(reader.take<double>());
    options.widening_factor = reader.take<double>();
    options.playout_candidates = int(reader.take<double>());
    options.amaf_playouts = reader.take<double>() != 0;
    options.seed = uint64_t(reader.take<double>());
    options.memory = size_t(reader.take<double>());
    options.reuse = reader.take<double>() != 0;
    reader.finish();
    return options;
}

PuctOptions read_puct_options(Reader &reader) {
    PuctOptions options;
    options.cpuct = reader.take<double>();
    options.cpuct_factor = reader.take<double>();
    options.cpuct_base = reader.take<double>();
    options.fpu_reduction = reader.take<double>();
    options.policy_temperature = reader.take<double>();
    options.seed = uint64_t(reader.take<double>());
    options.memory = size_t(reader.take<double>());
    options.reuse = reader.take<double>() != 0;
    options.cache = reader.take<double>() != 0;
    return options;
}

}  // namespace taiji
