#include "test_rows.hpp"

#include <algorithm>
#include <stdexcept>

namespace taiji {
namespace {

enum class Shape : uint8_t { Opening, Ground, Kill, Wake, Block, Count };

using Ranges = std::vector<std::pair<int, int>>;

void set_bit(Rows &rows, size_t row, int stride, int site) {
    rows[row * stride + site / 64] |= uint64_t(1) << (site % 64);
}

// Returns the masks in which a test counts for a piece on `cells`.
std::vector<Mask> region_masks(const TestSpec &test, const StageSpec &spec, Mask cells) {
    std::vector<Mask> masks;
    switch (test.region) {
        case Region::Under: masks.push_back(cells); break;
        case Region::AroundEdge:
        case Region::AroundKing:
            masks.push_back(neighbours(spec.width, spec.height, test.region == Region::AroundKing, cells) &
                            join_words(spec.board));
            break;
        case Region::Fixed: masks.push_back(join_words(test.sets.at(0))); break;
        case Region::Each:
            for (MaskWords words : test.sets)
                if ((join_words(words) & cells) != 0) masks.push_back(join_words(words));
            break;
    }
    return masks;
}

bool passes(const Ranges &ranges, int n, int size) {
    return std::any_of(ranges.begin(), ranges.end(), [&](std::pair<int, int> range) {
        auto [low, high] = range;
        return n >= (low < 0 ? low + size + 1 : low) && n <= (high < 0 ? high + size + 1 : high);
    });
}

// Returns whether a test passes for a piece on `cells` in a stage without pieces.
bool passes_at_start(const TestSpec &test, const StageSpec &spec, Mask cells) {
    const Mask plane = test.plane == Plane::Piece || test.plane == Plane::After ? cells : 0;
    const std::vector<Mask> masks = region_masks(test, spec, cells);
    return std::all_of(masks.begin(), masks.end(),
                       [&](Mask m) { return passes(test.ranges, count(plane & m), count(m)); });
}

Shape shape_of(const TestSpec &test, const StageSpec &spec) {
    static const Ranges none{{0, 0}}, some{{1, -1}}, not_all{{0, -2}};
    const bool later = test.when == When::Later;
    if (test.plane == Plane::Ground) return later ? Shape::Count : Shape::Ground;
    if (test.when == When::First) return Shape::Opening;
    if (test.plane == Plane::Piece) return later ? Shape::Count : Shape::Opening;
    if (test.plane != Plane::After && test.ranges == none) return Shape::Kill;
    if (test.plane == Plane::Covered && test.ranges == some && later && test.region != Region::Each) return Shape::Wake;
    if (test.plane == Plane::After && test.ranges == not_all && test.region == Region::Each) {
        // The first piece of the stage must not be able to fill a set while the test does not apply yet.
        auto alone = [&](MaskWords cells) { return passes_at_start(test, spec, join_words(cells)); };
        if (!later || std::all_of(spec.cells.begin(), spec.cells.end(), alone)) return Shape::Block;
    }
    return Shape::Count;
}

// Count tests drop sites from the live row, which a row of wakes would have to remember: count those tests too.
std::vector<Shape> shapes_of(const StageSpec &spec) {
    std::vector<Shape> shapes;
    for (const TestSpec &test : spec.tests) shapes.push_back(shape_of(test, spec));
    const auto wakes = std::count(shapes.begin(), shapes.end(), Shape::Wake);
    if (wakes > 1 || std::count(shapes.begin(), shapes.end(), Shape::Count) > 0)
        std::replace(shapes.begin(), shapes.end(), Shape::Wake, Shape::Count);
    return shapes;
}

CountTest count_test(const TestSpec &test, const StageSpec &spec, const Stage &stage) {
    CountTest result{test.plane, test.when, {}, {}, {}};
    for (int s = 0; s < stage.sites; s++) {
        result.first_mask.push_back(uint32_t(result.masks.size()));
        if (stage.site_cells[size_t(s)] == 0) continue;
        for (Mask m : region_masks(test, spec, stage.site_cells[size_t(s)])) result.masks.push_back(m);
    }
    result.first_mask.push_back(uint32_t(result.masks.size()));
    for (int size = 0; size <= kMaxCells; size++) {
        result.passing.emplace_back();
        for (int n = 0; n <= size; n++) result.passing.back()[size_t(n)] = passes(test.ranges, n, size);
    }
    return result;
}

// Sets, in row s, the bit of every site t with a mask that site s covers.
void fill_meeting(Rows &rows, const TestSpec &test, const StageSpec &spec, const Stage &stage,
                  const std::vector<int> &site_of) {
    for (size_t g = 0; g < spec.cells.size(); g++) {
        Mask region = 0;
        for (Mask m : region_masks(test, spec, join_words(spec.cells[g]))) region |= m;
        for (size_t f = 0; f < spec.cells.size(); f++)
            if ((region & join_words(spec.cells[f])) != 0 &&
                (test.plane != Plane::Kind || spec.kinds[f] == spec.kinds[g]))
                set_bit(rows, size_t(site_of[f]), stage.stride, site_of[g]);
    }
}

void fill_start_rows(Stage &stage, const StageSpec &spec, const std::vector<Shape> &shapes,
                     const std::vector<int> &site_of) {
    for (size_t f = 0; f < spec.cells.size(); f++) {
        bool open = true, live = true;
        for (size_t i = 0; i < spec.tests.size(); i++) {
            const TestSpec &test = spec.tests[i];
            if (test.when == When::Later || shapes[i] == Shape::Ground) continue;
            if (passes_at_start(test, spec, join_words(spec.cells[f]))) continue;
            live = false;
            open = open && (test.when == When::First || shapes[i] == Shape::Count);
        }
        if (open) set_bit(stage.open, 0, stage.stride, site_of[f]);
        if (live) set_bit(stage.live, 0, stage.stride, site_of[f]);
    }
}

// The usual test on the ground, which rows of cells answer faster than counts.
bool demands_level(const TestSpec &test) {
    static const Ranges none_or_all{{0, 0}, {-1, -1}};
    return test.region == Region::Under && test.when == When::Always && test.ranges == none_or_all;
}

bool forbids_overlap(const TestSpec &test) {
    return test.plane == Plane::Covered && test.region == Region::Under && test.when == When::Always;
}

}  // namespace

void add_tests(Stage &stage, const StageSpec &spec, const std::vector<int> &site_of) {
    const std::vector<Shape> shapes = shapes_of(spec);
    const size_t row = size_t(stage.stride);
    stage.kill.assign(size_t(stage.sites) * row, 0);
    stage.at_cell.assign(size_t(stage.cells) * row, 0);
    stage.open.assign(row, 0);
    stage.live.assign(row, 0);
    for (size_t f = 0; f < spec.cells.size(); f++)
        for_each(join_words(spec.cells[f]),
                 [&](int cell) { set_bit(stage.at_cell, size_t(cell), stage.stride, site_of[f]); });
    bool overlap = false, other_kills = false, opens_on_ground = false;
    for (size_t i = 0; i < spec.tests.size(); i++) {
        const TestSpec &test = spec.tests[i];
        switch (shapes[i]) {
            case Shape::Opening: break;
            case Shape::Ground:
                if (demands_level(test)) {
                    stage.is_level = true;
                    break;
                }
                stage.ground_tests.push_back(count_test(test, spec, stage));
                opens_on_ground |= test.when == When::First;
                break;
            case Shape::Kill:
                fill_meeting(stage.kill, test, spec, stage, site_of);
                (forbids_overlap(test) ? overlap : other_kills) = true;
                break;
            case Shape::Wake:
                stage.has_wakes = true;
                stage.wake.assign(size_t(stage.sites) * row, 0);
                fill_meeting(stage.wake, test, spec, stage, site_of);
                break;
            case Shape::Block:
                for (MaskWords words : test.sets) stage.blocks.push_back(join_words(words));
                break;
            case Shape::Count:
                stage.count_tests.push_back(count_test(test, spec, stage));
                if (test.plane == Plane::Kind)
                    for (int kind : spec.kinds) stage.kind_masks = std::max(stage.kind_masks, kind + 1);
                break;
        }
    }
    if (!overlap) throw std::invalid_argument("a stage must forbid to cover cells twice");
    fill_start_rows(stage, spec, shapes, site_of);
    stage.has_forbidden_blocks = !stage.blocks.empty();
    stage.has_dormant_sites =
        stage.has_wakes || !stage.count_tests.empty() || opens_on_ground || stage.live != stage.open;
    stage.overlap_only = !other_kills && !stage.has_dormant_sites && !stage.has_forbidden_blocks;
}

}  // namespace taiji
