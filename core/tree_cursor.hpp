// A position during a PUCT descent, and the decoding of a net's output for it.
#pragma once

#include <cmath>
#include <memory>

#include "elementary.hpp"
#include "net_encoder.hpp"
#include "puct_cache.hpp"
#include "puct_types.hpp"
#include "random.hpp"

namespace taiji {

constexpr int kMaxSymmetries = 8;
constexpr size_t kMaxEdges = 160;        // maximum edges of an incomplete node
constexpr size_t kAlwaysComplete = 64;   // nodes with at most this many moves hold them all
constexpr float kMinPriorRatio = 2e-4f;  // minimum prior of an edge relative to the highest
constexpr double kJitter = 0.1;          // relative noise on priors, by seed, to break ties

// A position with per-kind masks and the hashes of all its symmetric images.
template <int W> struct TreeCursor {
    explicit TreeCursor(const Position<W> &p) : position(p) {}
    Position<W> position;
    Mask kinds[NetEncoder::kMaxKinds] = {};
    uint64_t hashes[kMaxSymmetries] = {};

    void update_hashes(const CompiledGame &game, int action) {
        if (!game.is_placement(action)) {
            for (uint64_t &hash : hashes) hash += game.key_of_choice(action);
            return;
        }
        const Action &a = game.actions[size_t(action)];
        kinds[a.kind] |= a.cells;
        for (size_t s = 0; s < game.images.size(); s++) hashes[s] += game.actions[game.images[s][size_t(action)]].key;
    }
    void play(const CompiledGame &game, int action) {
        update_hashes(game, action);
        position.play(action);
    }
    // Returns the symmetry with the smallest hash, whose image represents all.
    int canonical_symmetry(const CompiledGame &game) const {
        return int(std::min_element(hashes, hashes + game.images.size()) - hashes);
    }
};

// Decodes a net's output for the image of a position: a softmax over the legal moves, highest prior first.
template <int W>
std::unique_ptr<NetEvaluation> decode_output(const TreeCursor<W> &cursor, int symmetry, const CompiledGame &game,
                                             const NetEncoder &encoder, const PuctOptions &options, const float *policy,
                                             const float *swap, float value, const float *margin) {
    auto evaluation = std::make_unique<NetEvaluation>();
    const Position<W> &p = cursor.position;
    const std::vector<uint16_t> &image = game.images[size_t(symmetry)];
    const int swap_index = encoder.spec().policy * p.current_stage().cells;
    const float sharpness = float(1 / options.policy_temperature);
    auto &choices = evaluation->choices;
    float most = -1e30f;
    p.for_each_choice([&](int action) {
        int seen = image[size_t(action)], index = encoder.policy_index(p.colour_to_move(), seen);
        float logit = index == swap_index ? (swap ? *swap : 0) : policy[index];
        if (!swap && action == game.swap_action) logit = most;  // comes last: as likely as the best placement
        if (!(std::abs(logit) < 1e4f)) logit = -1e4f;           // guard against NaN and infinity
        most = std::max(most, logit);
        choices.push_back({uint16_t(seen), logit});
    });
    double total = 0;
    for (auto &choice : choices) total += choice.prior = float(natural_exp((choice.prior - most) * sharpness));
    uint64_t salt = options.seed * 0x9E3779B97F4A7C15u + cursor.hashes[symmetry];
    for (auto &choice : choices) {
        uint64_t mixed = salt + choice.action;
        double jitter = double(splitmix(mixed) >> 11) * 0x1p-53 - 0.5;
        choice.prior = float(choice.prior / total * (1 + kJitter * jitter));
    }
    auto likelier = [](const NetEvaluation::Choice &a, const NetEvaluation::Choice &b) {
        return a.prior != b.prior ? a.prior > b.prior : a.action < b.action;
    };
    if (choices.size() > kAlwaysComplete) {
        float least = kMinPriorRatio / float(total);
        auto end = std::partition(choices.begin(), choices.end(), [&](auto &c) { return c.prior >= least; });
        size_t kept = std::clamp(size_t(end - choices.begin()), kAlwaysComplete, kMaxEdges);
        kept = std::min(kept, choices.size());
        evaluation->complete = kept == choices.size();
        // Faster than std::partial_sort, which keeps a heap.
        if (kept < choices.size())
            std::nth_element(choices.begin(), choices.begin() + long(kept), choices.end(), likelier);
        choices.resize(kept);
        std::sort(choices.begin(), choices.end(), likelier);
        choices.shrink_to_fit();
    } else {
        std::sort(choices.begin(), choices.end(), likelier);
    }
    evaluation->win = std::isfinite(value) ? float(1 / (1 + natural_exp(-value))) : 0.5f;
    float top = *std::max_element(margin, margin + kMarginBins);
    double sum = 0;
    for (int i = 0; i < kMarginBins; i++) sum += evaluation->margins[i] = float(natural_exp(margin[i] - top));
    for (int i = 0; i < kMarginBins; i++)
        evaluation->margins[i] =
            std::isfinite(sum) && sum > 0 ? float(evaluation->margins[i] / sum) : 1.f / kMarginBins;
    return evaluation;
}

}  // namespace taiji
