// Reduced forms of positions that the solver searches where a stage has one.
#pragma once

#include <memory>

#include "solver_thread.hpp"
#include "solver_values.hpp"

namespace taiji {

// Searches positions in a reduced form, as far as they have one.
template <int W> class ReducedSearch {
public:
    virtual ~ReducedSearch() = default;
    virtual bool accepts(const Position<W> &p) const = 0;
    virtual int64_t search(const Position<W> &p, int64_t beta, int ply) = 0;
    virtual PositionKey key(const Position<W> &p) = 0;
    virtual int stored_move(const Position<W> &p) = 0;  // an action, or -1
};

// What the reduced positions that follow one position have in common; of any kind and size, for positions of width W.
template <int W> class AnyFrame {
public:
    virtual ~AnyFrame() = default;
    // Returns the frame of a position, or nothing if the rest of its game has no reduced form.
    static std::unique_ptr<AnyFrame> make(const Position<W> &p);
    virtual bool contains(const Position<W> &p) const = 0;
    virtual std::unique_ptr<ReducedSearch<W>> make_search(SolverThread &thread, TieRule tie, int64_t lead,
                                                          int plies) const = 0;
};

}  // namespace taiji
