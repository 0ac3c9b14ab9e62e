// The groups of a site state: those next to a cell that can still be covered, with those cells, and the sizes of the
// others. Placing a piece updates them; nothing is filled again.
#pragma once

#include "group_state.hpp"
#include "site_frame.hpp"

namespace taiji {

class SiteGroups {
public:
    SiteGroups() = default;
    // Copies the groups that there are, not the room for more.
    SiteGroups(const SiteGroups &other) {
        for (int c = 0; c < 2; c++) {
            n[c] = other.n[c];
            settled[c] = other.settled[c];
            std::copy_n(other.around[c], n[c], around[c]);
            std::copy_n(other.size[c], n[c], size[c]);
        }
    }
    SiteGroups &operator=(const SiteGroups &) = delete;

    // Adds a square of colour c with these neighbours.
    void add_square(int c, int cell, Mask neighbours) {
        int total = 1, kept = 0;
        for (int i = 0; i < n[c]; i++) {
            if (around[c][i] >> cell & 1) {
                neighbours |= around[c][i];
                total += size[c][i];
            } else {
                around[c][kept] = around[c][i];
                size[c][kept++] = size[c][i];
            }
        }
        around[c][kept] = neighbours;
        size[c][kept++] = uint8_t(total);
        n[c] = uint8_t(kept);
    }

    // Sets aside the groups that do not touch these cells. `ranks`: a tally of as many ranks as matter.
    void settle(const Tally &ranks, Mask cells) {
        for (int c = 0; c < 2; c++) {
            int kept = 0;
            for (int i = 0; i < n[c]; i++) {
                const Mask touched = around[c][i] & cells;
                if (!touched) {
                    settled[c].add(ranks, size[c][i]);
                    continue;
                }
                around[c][kept] = touched;
                size[c][kept++] = size[c][i];
            }
            n[c] = uint8_t(kept);
        }
    }

    // Returns the sizes of the largest groups of a colour.
    Sizes sizes(const Tally &ranks, int c) const {
        Sizes all = settled[c];
        for (int i = 0; i < n[c]; i++) all.add(ranks, size[c][i]);
        return all;
    }

    uint8_t n[2] = {0, 0};
    Sizes settled[2];
    Mask around[2][kMaxGroups];
    uint8_t size[2][kMaxGroups];
};

}  // namespace taiji
