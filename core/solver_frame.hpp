// The part of a board that can still be covered, renumbered: what the solver's group states are made of. It exists for
// stages in which only overlap forbids placements and the score depends on the sizes of groups. All positions that
// follow one of its positions fit the frame, so their hashes can be compared.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "position.hpp"

namespace taiji {

template <class M> inline int first_cell(M cells) { return lowest(cells); }
template <> inline int first_cell(uint64_t cells) { return std::countr_zero(cells); }

// A set of sites of a frame.
template <int W> struct SiteSet {
    std::array<uint64_t, W> words{};

    bool any() const {
        uint64_t all = 0;
        for (uint64_t word : words) all |= word;
        return all != 0;
    }
    bool meets(const SiteSet &other) const {
        uint64_t both = 0;
        for (int i = 0; i < W; i++) both |= words[i] & other.words[i];
        return both != 0;
    }
    void remove(const SiteSet &other) {
        for (int i = 0; i < W; i++) words[i] &= ~other.words[i];
    }
    void add(int site) { words[site / 64] |= uint64_t(1) << site % 64; }
    bool has(int site) const { return words[site / 64] >> site % 64 & 1; }
    template <class F> void for_each(F &&f) const {
        for (int i = 0; i < W; i++)
            for (uint64_t left = words[i]; left; left &= left - 1) f(i * 64 + std::countr_zero(left));
    }
};

constexpr uint16_t kNoFace = 0xFFFF;

// M: a set of cells; W: words of a set of sites.
template <class M, int W> struct Frame {
    static constexpr int kMaxFrameCells = int(sizeof(M)) * 8, kMaxFrameSites = 64 * W;
    static constexpr int kBytes = int(sizeof(M));

    struct FrameSite {
        M cells = 0, adjacent = 0;  // `adjacent`: cells of overlapping sites that this one leaves free
        SiteSet<W> kills;
        int first_face = 0, faces = 0;
    };
    struct FrameFace {
        M light = 0, dark = 0;
        uint16_t action = 0;
        int site = 0;
    };
    // A symmetry of the board as a map of sets of cells; cells whose image is not in the frame have none.
    struct Image {
        std::array<std::array<M, 256>, kBytes> of_byte;

        M operator()(M cells, int bytes) const {
            M result = 0;
            for (int i = 0; i < bytes; i++) result |= of_byte[i][size_t(uint8_t(cells >> (8 * i)))];
            return result;
        }
    };
    // A symmetry that maps the frame to itself.
    struct Symmetry {
        Image image;
        std::vector<uint16_t> face;     // image of each face
        std::vector<uint16_t> inverse;  // the face whose image this is
    };
    // A symmetry that is its own inverse and maps each face in its reach to one with the colours exchanged.
    struct Mirror {
        Image image;
        SiteSet<W> meeting;  // sites that meet their own image
    };
    static constexpr int kMaxUnmatched = 8;  // maximum cells without an image that a mirroring move may leave

    const Stage *stage = nullptr;
    std::vector<int> cell;     // original number of each cell
    std::vector<int> cell_of;  // by original cell: its number here, or -1
    std::vector<M> neighbours;
    std::vector<SiteSet<W>> covers;  // by cell: the sites that cover it
    std::vector<FrameSite> sites;
    std::vector<FrameFace> faces;
    std::vector<int> face_of;  // by action of the stage: its face, or -1
    std::vector<Symmetry> symmetries;
    std::vector<Mirror> mirrors;
    int bytes = 0;                  // of a set of cells that are in use
    int min_cells = 1;              // of a piece
    int most[2] = {0, 0};           // squares by colour of a piece
    bool two_sided = false;         // every piece covers one cell of each half of a chequerboard
    bool multiplies_sizes = false;  // the score is the product of the sizes of all groups
    bool pieces_connect = false;    // the cells of a piece are one group: no piece lies in two components
    M half = 0;                     // one half of the chequerboard

    // Returns the frame of a position, or nothing if it does not fit.
    template <int PW> static std::optional<Frame> make(const Position<PW> &p);

    // Returns whether a position's live sites are all in the frame.
    template <int PW> bool contains(const Position<PW> &p) const;

private:
    void add_symmetries(const CompiledGame &game);
    Image image_by(const std::vector<int> &to) const;
    // Returns the face that covers these cells, or kNoFace.
    uint16_t find_face(M light, M dark) const;
    void add_symmetry(const Image &image);
    void add_mirror(const Image &image);
    void find_halves();
};

template <class M, int W> template <int PW> std::optional<Frame<M, W>> Frame<M, W>::make(const Position<PW> &p) {
    const Stage &stage = p.current_stage();
    Mask live = 0;
    int site_count = 0;
    auto each_live = [&](auto &&f) {
        for (int w = 0; w < p.words(); w++)
            for (uint64_t left = p.live()[w]; left; left &= left - 1) f(w * 64 + std::countr_zero(left));
    };
    each_live([&](int s) { live |= stage.site_cells[s], site_count++; });
    if (count(live) > kMaxFrameCells || site_count > kMaxFrameSites || !site_count) return {};
    Frame frame;
    frame.stage = &stage;
    frame.cell_of.assign(size_t(stage.cells), -1);
    for_each(live, [&](int c) {
        frame.cell_of[c] = int(frame.cell.size());
        frame.cell.push_back(c);
    });
    auto inside = [&](Mask cells) {
        M result = 0;
        for_each(cells & live, [&](int c) { result |= M(1) << frame.cell_of[c]; });
        return result;
    };
    const bool king = stage.score.join == Join::King;
    for (int c : frame.cell)
        frame.neighbours.push_back(inside(taiji::neighbours(stage.width, stage.height, king, bit(c))));
    frame.covers.assign(frame.cell.size(), {});
    frame.face_of.assign(size_t(stage.actions), -1);
    frame.bytes = int(frame.cell.size() + 7) / 8;
    frame.min_cells = kMaxCells;
    frame.multiplies_sizes = !stage.score.last && stage.score.fold == Fold::Product;
    for (size_t size = 0; size < stage.score.value.size(); size++)
        frame.multiplies_sizes = frame.multiplies_sizes && stage.score.value[size] == int64_t(size);
    each_live([&](int s) {
        FrameSite site;
        site.cells = inside(stage.site_cells[s]);
        site.first_face = int(frame.faces.size());
        site.faces = stage.site[s].faces;
        frame.min_cells = std::min(frame.min_cells, count(site.cells));
        for (int i = 0; i < site.faces; i++) {
            const int action = int(stage.site[s].first_action) + i;
            const Action &a = p.game().actions[size_t(action)];
            frame.face_of[size_t(action - stage.first_action)] = int(frame.faces.size());
            frame.faces.push_back({inside(a.light), inside(a.dark), uint16_t(action), int(frame.sites.size())});
            frame.most[0] = std::max(frame.most[0], count(a.light));
            frame.most[1] = std::max(frame.most[1], count(a.dark));
        }
        for (M left = site.cells; left; left &= left - 1)
            frame.covers[size_t(first_cell(left))].add(int(frame.sites.size()));
        frame.sites.push_back(site);
    });
    for (FrameSite &site : frame.sites) {
        for (M left = site.cells; left; left &= left - 1)
            frame.covers[size_t(first_cell(left))].for_each([&](int other) {
                site.kills.add(other);
                site.adjacent |= frame.sites[size_t(other)].cells;
            });
        site.adjacent &= ~site.cells;
    }
    frame.find_halves();
    frame.add_symmetries(p.game());
    return frame;
}

template <class M, int W> template <int PW> bool Frame<M, W>::contains(const Position<PW> &p) const {
    if (&p.current_stage() != stage) return false;
    for (int w = 0; w < p.words(); w++)
        for (uint64_t left = p.live()[w]; left; left &= left - 1) {
            const Site &site = stage->site[size_t(w * 64 + std::countr_zero(left))];
            if (face_of[size_t(int(site.first_action) - stage->first_action)] < 0) return false;
        }
    return true;
}

// Colours the cells like a chequerboard, if every piece is a pair and pairs allow it.
template <class M, int W> void Frame<M, W>::find_halves() {
    pieces_connect = true;
    two_sided = true;
    M partners[kMaxFrameCells] = {};
    for (const FrameSite &site : sites) {
        M group = site.cells & (~site.cells + 1);
        for (M grown = group;; group = grown) {
            for (M left = group; left; left &= left - 1) grown |= neighbours[size_t(first_cell(left))] & site.cells;
            if (grown == group) break;
        }
        pieces_connect = pieces_connect && group == site.cells;
        two_sided = two_sided && count(site.cells) == 2;
        for (M left = site.cells; left; left &= left - 1)
            partners[first_cell(left)] |= site.cells & ~(M(1) << first_cell(left));
    }
    M other = 0;
    for (size_t start = 0; two_sided && start < cell.size(); start++) {
        if (((half | other) >> start) & 1) continue;
        M frontier = M(1) << start;
        half |= frontier;
        while (frontier) {
            const int c = first_cell(frontier);
            frontier &= frontier - 1;
            M &opposite = half >> c & 1 ? other : half;
            frontier |= partners[c] & ~(half | other);
            opposite |= partners[c];
        }
    }
    if (half & other) two_sided = false;
}

template <class M, int W> void Frame<M, W>::add_symmetries(const CompiledGame &game) {
    for (size_t i = 0; i < game.cell_images.size(); i++) {
        const std::vector<int> &to = game.cell_images[i];
        int unmatched = 0;
        bool self_inverse = true;
        for (int c : cell) {
            unmatched += cell_of[size_t(to[size_t(c)])] < 0;
            self_inverse = self_inverse && to[size_t(to[size_t(c)])] == c;
        }
        if (unmatched > kMaxUnmatched) continue;
        const Image image = image_by(to);
        if (!unmatched) add_symmetry(image);
        if (i > 0 && self_inverse) add_mirror(image);
    }
}

template <class M, int W> auto Frame<M, W>::image_by(const std::vector<int> &to) const -> Image {
    Image result;
    for (int b = 0; b < kBytes; b++)
        for (int value = 0; value < 256; value++) {
            M image = 0;
            for (int k = 0; k < 8; k++) {
                if (!(value >> k & 1) || size_t(8 * b + k) >= cell.size()) continue;
                const int there = cell_of[size_t(to[size_t(cell[size_t(8 * b + k)])])];
                if (there >= 0) image |= M(1) << there;
            }
            result.of_byte[size_t(b)][size_t(value)] = image;
        }
    return result;
}

template <class M, int W> uint16_t Frame<M, W>::find_face(M light, M dark) const {
    for (size_t f = 0; f < faces.size(); f++)
        if (faces[f].light == light && faces[f].dark == dark) return uint16_t(f);
    return kNoFace;
}

template <class M, int W> void Frame<M, W>::add_symmetry(const Image &image) {
    std::vector<uint16_t> face(faces.size()), inverse(faces.size());
    for (size_t f = 0; f < faces.size(); f++) {
        face[f] = find_face(image(faces[f].light, bytes), image(faces[f].dark, bytes));
        if (face[f] == kNoFace) return;
        inverse[face[f]] = uint16_t(f);
    }
    symmetries.push_back({image, std::move(face), std::move(inverse)});
}

template <class M, int W> void Frame<M, W>::add_mirror(const Image &image) {
    SiteSet<W> meeting;
    for (const FrameFace &face : faces) {
        const M cells = sites[size_t(face.site)].cells;
        if (image(cells, bytes) & cells) meeting.add(face.site);
        const M light = image(face.light, bytes), dark = image(face.dark, bytes);
        // Where an image is not in the frame, the piece is in no mirrored position.
        if (count(light | dark) == count(cells) && find_face(dark, light) == kNoFace) return;
    }
    mirrors.push_back({image, meeting});
}

}  // namespace taiji
