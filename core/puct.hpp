// A search by priors (PUCT): a net says how likely each move is and who will win. The search hands out batches of
// positions and takes what the net says of them, so that it does not matter where the net runs.
#pragma once

#include <memory>

#include "handle.hpp"
#include "net_view.hpp"
#include "puct_types.hpp"

namespace taiji {

// What a net says of a batch, row by row; all are logits.
struct NetSays {
    const float *policy, *swap, *value, *margin;  // swap: null where the net has none
};

class alignas(kAlignment) Puct {
public:
    static constexpr int kMostSlots = 256, kMostBatch = 64;
    static constexpr size_t kSmallest = size_t(4) << 20;

    virtual ~Puct() = default;
    // Throws std::invalid_argument, in a sentence, for options that cannot be.
    static std::unique_ptr<Puct> make(SharedTables tables, NetViewSpec view, const PuctOptions &options);

    virtual const NetView &view() const = 0;
    // What the net sees of a position whose cells a symmetry has moved.
    virtual void see(const Handle &position, int symmetry, float *planes, float *numbers) const = 0;

    virtual void start(const Handle &position, const PuctLimits &limits, const Objective &objective) = 0;
    // Fills a worker's buffers with at most so many positions to judge and tells how many there are: 0 where others
    // must be judged first, -1 where the search is over.
    virtual int gather(int slot, int most, float *planes, float *numbers) = 0;
    // Takes what the net says of a worker's last batch.
    virtual void apply(int slot, int rows, const NetSays &says) = 0;
    // Forgets a worker's last batch, which could not be judged.
    virtual void drop(int slot) = 0;
    virtual void stop() = 0;
    virtual PuctInfo info() const = 0;
    virtual void reset() = 0;
};

}  // namespace taiji
