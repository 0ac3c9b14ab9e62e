// What the solver learns from a group state without searching it: how many pieces still fit, bounds of the points, and
// a hash that is equal for states with the same rest of the game.
#pragma once

#include "group_state.hpp"
#include "transposition_table.hpp"

namespace taiji {

// Adds a pair of numbers to both hashes of a key, in any order of pairs.
inline void mix_into(PositionKey &key, uint64_t a, uint64_t b) {
    auto mixed = [](uint64_t x) {
        x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
        return x ^ (x >> 29);
    };
    const uint64_t first = mixed(a * 0x9E3779B97F4A7C15u + mixed(b * 0xC2B2AE3D27D4EB4Fu + 1));
    key.index += first;
    key.verification += mixed(b * 0xFF51AFD7ED558CCDu + mixed(a * 0xA0761D6478BD642Fu + first * 0xE7037ED1A0B428DBu));
}

// By sum: the largest product of positive integers.
inline constexpr auto kMaxProduct = [] {
    std::array<int64_t, kMaxCells + 1> product{1, 1, 2, 3, 4};
    for (size_t i = 5; i < product.size(); i++)
        product[i] = product[i - 3] > std::numeric_limits<int64_t>::max() / 12 ? product[i - 3] : 3 * product[i - 3];
    return product;
}();

template <class M, int W> class GroupBounds {
public:
    using Board = Frame<M, W>;
    using State = GroupState<M, W>;

    GroupBounds(const Board &frame, const State &state) : frame_(frame), state_(state), tally_(frame.stage->score) {
        find_components();
        bounded_ = tally_.last ? tally_.monotone : frame.multiplies_sizes;
        for (int c = 0; c < 2; c++) bound(c);
    }

    int pieces() const { return pieces_; }  // upper bound of the pieces that can still be placed
    bool bounded() const { return bounded_; }
    int64_t least(int c) const { return least_[c]; }
    int64_t most(int c) const { return most_[c]; }

    // Returns a key of the state that its images share, and the symmetry that leads to the image with that key.
    PositionKey key(int &symmetry) const {
        symmetry = 0;
        M smallest = state_.live;
        uint32_t candidates = 1;
        if (pieces_ >= kSymmetryPieces) {
            for (size_t i = 1; i < frame_.symmetries.size(); i++) {
                const M image = frame_.symmetries[i].image(state_.live, frame_.bytes);
                if (image < smallest) smallest = image, candidates = 0;
                if (image == smallest) candidates |= uint32_t(1) << i;
            }
        }
        PositionKey best;
        bool any = false;
        for (uint32_t left = candidates; left; left &= left - 1) {
            const int i = std::countr_zero(left);
            const PositionKey key = key_of_image(i);
            if (any && key.verification >= best.verification) continue;
            best = key;
            symmetry = i;
            any = true;
        }
        return best;
    }

private:
    static constexpr int kSymmetryPieces = 3;  // minimum pieces to come for symmetry reduction

    // Cells of a region: live cells and groups that may become one group.
    struct Region {
        M cells = 0;
        int size = 0, largest = 0, gain = 0;  // squares, largest group, squares that can be added
        int joinable = 0;                     // squares of groups of two or more
    };

    void find_components() {
        for (M left = state_.live; left;) {
            M component = left & (~left + 1), frontier = component;
            while (frontier) {
                const M found = frame_.neighbours[size_t(first_cell(frontier))] & left & ~component;
                frontier = (frontier & (frontier - 1)) | found;
                component |= found;
            }
            left &= ~component;
            components_[n_components_] = component;
            room_[n_components_++] = room_of(component);
        }
        for (int i = 0; i < n_components_; i++) pieces_ += room_[i];
        if (!frame_.pieces_connect) pieces_ = room_of(state_.live);
    }

    // Returns an upper bound of the pieces that fit into these cells.
    int room_of(M cells) const {
        if (!frame_.two_sided) return count(cells) / frame_.min_cells;
        const int one = count(M(cells & frame_.half));
        return std::min(one, count(cells) - one);
    }

    // Finds the bounds of a colour's points, and which of its groups can still count.
    void bound(int c) {
        settled_[c] = state_.settled[c];
        open_[c] = state_.n[c] == 64 ? ~uint64_t(0) : (uint64_t(1) << state_.n[c]) - 1;
        if (!bounded_) return;
        Region regions[kMaxCells];
        const int n = find_regions(c, regions);
        if (!tally_.last) return bound_product(c, regions, n);
        // Once `last` groups of separate regions have a size, groups that cannot exceed it never count.
        Sizes separate = state_.settled[c], reachable = state_.settled[c], now = state_.settled[c];
        for (int r = 0; r < n; r++)
            if (regions[r].largest) separate.add(tally_, regions[r].largest);
        const int enough = separate.rank(tally_.last);
        M counting = 0;
        for (int r = 0; r < n; r++) {
            const int size = regions[r].size + regions[r].gain;
            if (size) reachable.add(tally_, size);
            if (size > enough) counting |= regions[r].cells;
        }
        for (int i = 0; i < state_.n[c]; i++) {
            now.add(tally_, state_.size[c][i]);
            if (state_.around[c][i] & counting) continue;
            open_[c] &= ~(uint64_t(1) << i);
            settled_[c].add(tally_, state_.size[c][i]);
        }
        least_[c] = now.score(tally_);
        most_[c] = counting ? reachable.score(tally_) : least_[c];
    }

    int find_regions(int c, Region regions[]) const {
        int n = n_components_;
        for (int i = 0; i < n; i++) {
            const int room = (frame_.pieces_connect ? room_[i] : pieces_) * frame_.most[c];
            regions[i] = {components_[i], 0, 0, std::min(room, count(components_[i]))};
        }
        for (int i = 0; i < state_.n[c]; i++) {
            const M touched = state_.around[c][i];
            int at = 0;
            while (!(regions[at].cells & touched)) at++;
            Region &region = regions[at];
            for (int other = at + 1; other < n;) {
                if (!(regions[other].cells & touched)) {
                    other++;
                    continue;
                }
                region.cells |= regions[other].cells;
                region.size += regions[other].size;
                region.largest = std::max(region.largest, regions[other].largest);
                region.gain += regions[other].gain;
                region.joinable += regions[other].joinable;
                regions[other] = regions[--n];
            }
            const int size = state_.size[c][i];
            region.size += size;
            region.largest = std::max(region.largest, size);
            if (size > 1) region.joinable += size;
        }
        return n;
    }

    // A product of sizes is largest if groups of two or more stay apart and single squares, those to come among them,
    // join the smallest groups or make new ones; it is least if all groups of two or more in a region become one.
    void bound_product(int c, const Region regions[], int n) {
        int sizes[kMaxGroups], groups = 0, singles = 0;
        int64_t product = state_.settled[c].any ? state_.settled[c].total : 1;
        least_[c] = state_.settled[c].any || state_.n[c] ? product : 0;
        for (int r = 0; r < n; r++) {
            least_[c] *= std::max(1, regions[r].joinable);
            singles += regions[r].gain;
        }
        for (int i = 0; i < state_.n[c]; i++) {
            if (state_.size[c][i] == 1) singles++;
            else product *= sizes[groups++] = state_.size[c][i];
        }
        most_[c] = 0;
        for (int grown = 0;; grown++) {
            most_[c] = std::max(most_[c], product * kMaxProduct[size_t(singles - grown)]);
            if (grown == singles || !groups) return;
            int *smallest = std::min_element(sizes, sizes + groups);
            product = product / *smallest * (*smallest + 1);
            ++*smallest;
        }
    }

    PositionKey key_of_image(int symmetry) const {
        auto mix_cells = [&](PositionKey &key, M cells, uint64_t tag) {
            if (symmetry) cells = frame_.symmetries[size_t(symmetry)].image(cells, frame_.bytes);
            if constexpr (sizeof(M) > 8) mix_into(key, low(cells), high(cells) + tag * 0xD1342543DE82EF95u);
            else mix_into(key, cells, tag);
        };
        PositionKey key;
        mix_cells(key, state_.live, 1 + 2 * uint64_t(state_.colour) + uint64_t(state_.swapped));
        mix_into(key, uint64_t(state_.base), 5);
        for (int c = 0; c < 2; c++) {
            for (uint64_t left = open_[c]; left; left &= left - 1) {
                const int i = std::countr_zero(left);
                mix_cells(key, state_.around[c][i], uint64_t(256 * (1 + c) + state_.size[c][i]));
            }
            uint64_t sizes = settled_[c].any;
            for (int r = 1; r <= kMaxRanks; r++) sizes = sizes * 256 + uint64_t(settled_[c].rank(r));
            mix_into(key, sizes + uint64_t(settled_[c].total) * 0x94D049BB133111EBu, 6 + uint64_t(c));
        }
        return key;
    }

    const Board &frame_;
    const State &state_;
    const Tally &tally_;
    bool bounded_ = false;
    int pieces_ = 0, n_components_ = 0;
    M components_[sizeof(M) * 8];
    int room_[sizeof(M) * 8];
    int64_t least_[2] = {0, 0}, most_[2] = {0, 0};
    uint64_t open_[2];  // groups that can still count
    Sizes settled_[2];  // the others
};

}  // namespace taiji
