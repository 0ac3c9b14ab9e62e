// A thread's work in a search by priors whose net the core runs itself.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "convnet.hpp"
#include "puct.hpp"

namespace taiji {

class NetWorker {
public:
    NetWorker(std::shared_ptr<const ConvNet> net, int batch)
        : net_(std::move(net)), batch_(batch), planes_(size_t(batch * net_->planes() * net_->cells())),
          numbers_(size_t(batch * net_->globals())) {
        if (batch < 1 || batch > Puct::kMostBatch) throw std::invalid_argument("batch: give 1 to 64");
    }

    // Gathers, judges and applies for so many seconds; tells whether the search is over.
    bool work(Puct &search, int slot, double seconds) {
        check(search.view());
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (true) {
            int count = search.gather(slot, batch_, planes_.data(), numbers_.data());
            if (count < 0) return true;
            if (count == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
            else search.apply(slot, count, net_->judge(desk_, planes_.data(), numbers_.data(), count));
            if (std::chrono::steady_clock::now() >= until) return false;
        }
    }

private:
    void check(const NetView &view) const {
        const NetViewSpec &spec = view.spec();
        if (spec.planes != net_->planes() || spec.globals != net_->globals() || spec.policy != net_->policies() ||
            spec.swap != net_->swap() || view.plane_floats() != size_t(net_->planes() * net_->cells()))
            throw std::invalid_argument("the search is of another game than the net");
    }

    std::shared_ptr<const ConvNet> net_;
    int batch_;
    LineVector<float> planes_, numbers_;
    ConvNet::Desk desk_;
};

}  // namespace taiji
