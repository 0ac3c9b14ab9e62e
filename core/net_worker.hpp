// The loop of one thread of a PUCT search whose net is evaluated in the core.
#pragma once

#include <chrono>
#include <memory>

#include "convnet.hpp"
#include "puct.hpp"

namespace taiji {

class NetWorker {
public:
    NetWorker(std::shared_ptr<const ConvNet> net, int batch)
        : net_(std::move(net)), batch_(batch), planes_(size_t(batch * net_->planes() * net_->cells())),
          globals_(size_t(batch * net_->globals())) {
        if (batch < 1 || batch > Puct::kMaxBatch) throw std::invalid_argument("batch: expected 1 to 64");
    }

    // Collects, evaluates and applies batches for up to `seconds`; returns whether the search has ended.
    bool work(Puct &search, int worker, double seconds) {
        check(search.encoder());
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (true) {
            int count = search.collect_batch(worker, batch_, planes_.data(), globals_.data());
            if (count < 0) return true;
            if (count == 0) sleep_briefly();
            else search.apply_batch(worker, count, net_->evaluate(workspace_, planes_.data(), globals_.data(), count));
            if (std::chrono::steady_clock::now() >= until) return false;
        }
    }

private:
    void check(const NetEncoder &encoder) const {
        const NetEncoderSpec &spec = encoder.spec();
        if (spec.planes != net_->planes() || spec.globals != net_->globals() || spec.policy != net_->policies() ||
            spec.swap != net_->swap() || encoder.plane_floats() != size_t(net_->planes() * net_->cells()))
            throw std::invalid_argument("the net does not fit the game of the search");
    }

    std::shared_ptr<const ConvNet> net_;
    int batch_;
    AlignedVector<float> planes_, globals_;
    ConvNet::Workspace workspace_;
};

}  // namespace taiji
