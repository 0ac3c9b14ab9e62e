// A position on its way down the tree, and what a net says of it.
#pragma once

#include <cmath>
#include <memory>

#include "net_view.hpp"
#include "puct_cache.hpp"
#include "puct_types.hpp"
#include "random.hpp"

namespace taiji {

constexpr int kMostSymmetries = 8;
constexpr size_t kMostEdges = 160;       // of a node that does not hold every legal move
constexpr size_t kAlwaysComplete = 64;   // up to so many moves a node holds them all
constexpr float kLeastShare = 2e-4f;     // of the likeliest move's prior, below which a move is left out
constexpr double kJitter = 0.1;          // by which the seed moves priors, to break ties

// A position on the way down, with what the core's position does not keep.
template <int W> struct Traveller {
    explicit Traveller(const Position<W> &p) : position(p) {}
    Position<W> position;
    Mask kinds[NetView::kMostKinds] = {};
    uint64_t hashes[kMostSymmetries] = {};

    void note(const Tables &tables, int action) {
        if (action == tables.swap_action) {
            for (uint64_t &hash : hashes) hash += tables.swap_key;
            return;
        }
        const Action &a = tables.actions[size_t(action)];
        kinds[a.kind] |= a.cells;
        for (size_t s = 0; s < tables.images.size(); s++)
            hashes[s] += tables.actions[tables.images[s][size_t(action)]].key;
    }
    void play(const Tables &tables, int action) {
        note(tables, action);
        position.play(action);
    }
    // The symmetry whose image stands for all.
    int canonical(const Tables &tables) const {
        return int(std::min_element(hashes, hashes + tables.images.size()) - hashes);
    }
};

// What a net said of a position as it looks under a symmetry: a softmax over the legal moves, the likeliest first.
template <int W>
std::unique_ptr<Judgement> read_judgement(const Traveller<W> &at, int symmetry, const Tables &tables, const NetView &view,
                                          const PuctOptions &options, const float *policy, const float *swap,
                                          float value, const float *margin) {
    auto said = std::make_unique<Judgement>();
    const Position<W> &p = at.position;
    const std::vector<uint16_t> &image = tables.images[size_t(symmetry)];
    const int swap_place = view.spec().policy * p.rules().cells;
    const float sharpness = float(1 / options.temperature);
    auto &choices = said->choices;
    float most = -1e30f;
    p.for_each_choice([&](int action) {
        int seen = image[size_t(action)], place = view.place(p.to_move(), seen);
        float logit = place == swap_place ? (swap ? *swap : 0) : policy[place];
        if (!(std::abs(logit) < 1e4f)) logit = -1e4f;  // a broken net must not break the search
        most = std::max(most, logit);
        choices.push_back({uint16_t(seen), logit});
    });
    double total = 0;
    for (auto &choice : choices) total += choice.prior = std::exp((choice.prior - most) * sharpness);
    uint64_t salt = options.seed * 0x9E3779B97F4A7C15u + at.hashes[symmetry];
    for (auto &choice : choices) {
        uint64_t mixed = salt + choice.action;
        double jitter = double(splitmix(mixed) >> 11) * 0x1p-53 - 0.5;
        choice.prior = float(choice.prior / total * (1 + kJitter * jitter));
    }
    auto likelier = [](const Judgement::Choice &a, const Judgement::Choice &b) {
        return a.prior != b.prior ? a.prior > b.prior : a.action < b.action;
    };
    if (choices.size() > kAlwaysComplete) {
        float least = kLeastShare / float(total);
        auto end = std::partition(choices.begin(), choices.end(), [&](auto &c) { return c.prior >= least; });
        size_t kept = std::clamp(size_t(end - choices.begin()), kAlwaysComplete, kMostEdges);
        kept = std::min(kept, choices.size());
        said->complete = kept == choices.size();
        std::partial_sort(choices.begin(), choices.begin() + long(kept), choices.end(), likelier);
        choices.resize(kept);
        choices.shrink_to_fit();
    } else {
        std::sort(choices.begin(), choices.end(), likelier);
    }
    said->win = std::isfinite(value) ? 1 / (1 + std::exp(-value)) : 0.5f;
    float top = *std::max_element(margin, margin + kMargins);
    double sum = 0;
    for (int i = 0; i < kMargins; i++) sum += said->margins[i] = std::exp(margin[i] - top);
    for (int i = 0; i < kMargins; i++)
        said->margins[i] = std::isfinite(sum) && sum > 0 ? float(said->margins[i] / sum) : 1.f / kMargins;
    return said;
}

}  // namespace taiji
