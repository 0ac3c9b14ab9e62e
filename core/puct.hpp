// A PUCT search: a net gives move priors and a win probability. The search hands out batches of positions and takes
// the net's outputs, so the net may run anywhere.
#pragma once

#include <memory>

#include "any_position.hpp"
#include "net_encoder.hpp"
#include "puct_types.hpp"

namespace taiji {

// Outputs of a net for a batch, one row per position; all are logits.
struct NetOutput {
    const float *policy, *swap, *value, *margin;  // swap: null if the net has none
};

class alignas(kAlignment) Puct {
public:
    static constexpr int kMaxWorkers = 256, kMaxBatch = 64;
    static constexpr size_t kMinBytes = size_t(4) << 20;

    virtual ~Puct() = default;
    // Throws std::invalid_argument if an option is out of range.
    static std::unique_ptr<Puct> make(CompiledGamePtr game, NetEncoderSpec encoder, const PuctOptions &options);

    virtual const NetEncoder &encoder() const = 0;
    // Writes the inputs of the net for a position moved by a symmetry.
    virtual void encode(const AnyPosition &position, int symmetry, float *planes, float *globals) const = 0;

    virtual void start(const AnyPosition &position, const PuctLimits &limits, const Objective &objective) = 0;
    // Fills a worker's buffers with at most `most` positions and returns their number: 0 if the worker must wait for
    // others, -1 if the search has ended.
    virtual int collect_batch(int worker, int most, float *planes, float *globals) = 0;
    // Adds the net's outputs for a worker's last batch to the tree.
    virtual void apply_batch(int worker, int rows, const NetOutput &output) = 0;
    // Discards a worker's last batch after a failed evaluation.
    virtual void discard_batch(int worker) = 0;
    virtual void stop() = 0;
    virtual PuctInfo info() const = 0;
    virtual void reset() = 0;
};

}  // namespace taiji
