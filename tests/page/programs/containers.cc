// SPDX-License-Identifier: Apache-2.0
// Containers and algorithms of the standard library, whose names are long: for pictures of a page.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace warehouse
{

struct order {
	std::string customer;
	std::vector<std::uint64_t> items;
};

class generator
{
      public:
	std::uint64_t next()
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		return state >> 33;
	}

	order make()
	{
		order made{"customer-" + std::to_string(next() % 5000), {}};
		for (std::uint64_t left = 5 + next() % 20; left > 0; left--)
			made.items.push_back(next() % 100000);
		return made;
	}

      private:
	std::uint64_t state = 1;
};

template <typename Map> std::uint64_t total_of(const Map &sums)
{
	return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0},
			       [](std::uint64_t sum, const auto &each) {
				       return sum + each.second;
			       });
}

static std::uint64_t sort_orders(std::vector<order> orders)
{
	std::sort(orders.begin(), orders.end(), [](const order &a, const order &b) {
		return a.customer != b.customer ? a.customer < b.customer : a.items < b.items;
	});
	return orders.front().items.front();
}

static std::uint64_t sum_by_name(const std::vector<order> &orders)
{
	std::map<std::string, std::uint64_t> sums;
	for (const order &each : orders)
		sums[each.customer] += each.items.size();
	return total_of(sums);
}

static std::uint64_t sum_by_item(const std::vector<order> &orders)
{
	std::unordered_map<std::uint64_t, std::uint64_t> sums;
	for (const order &each : orders)
		for (std::uint64_t item : each.items)
			sums[item]++;
	return total_of(sums);
}

} // namespace warehouse

int main()
{
	warehouse::generator generator;
	std::vector<warehouse::order> orders;
	for (int i = 0; i < 60000; i++)
		orders.push_back(generator.make());
	std::uint64_t sum = 0;
	for (int i = 0; i < 8; i++) {
		std::thread sorter([&] { sum += warehouse::sort_orders(orders); });
		std::uint64_t sums =
			warehouse::sum_by_name(orders) + warehouse::sum_by_item(orders);
		sorter.join();
		sum += sums;
	}
	std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
