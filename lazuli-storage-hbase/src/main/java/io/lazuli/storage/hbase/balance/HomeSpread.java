package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Spreads the homes over the servers of the cluster, as a pure function. If a server dies, only the
 * accounts whose homes it had wait for its recovery. The catalogue gets a region for each server,
 * with about as many homes in each, and every server gets about as many of them.
 */
public final class HomeSpread {
  private HomeSpread() {}

  /**
   * A region of the catalogue.
   *
   * @param homes the first keys of the homes in it, in order
   */
  public record HomeRegion(RegionSample region, List<Bytes> homes) {
    public HomeRegion {
      homes = List.copyOf(homes);
    }
  }

  /** Returns true if {@link #next} may find a step, so that the homes have to be counted. */
  public static boolean isUneven(List<RegionSample> regions, List<String> servers) {
    return regions.stream().allMatch(RegionSample::isServed)
        && (regions.size() < servers.size() || !move(regions, servers).isEmpty());
  }

  /**
   * Returns the next step; empty if the homes are spread.
   *
   * @param regions all regions of the catalogue
   * @param servers all servers of the cluster
   */
  public static Optional<BalanceStep> next(List<HomeRegion> regions, List<String> servers) {
    List<RegionSample> samples = regions.stream().map(HomeRegion::region).toList();
    if (!isUneven(samples, servers)) {
      return Optional.empty();
    }
    Optional<BalanceStep> move = move(samples, servers);
    return move.isPresent() || regions.size() >= servers.size()
        ? move
        : split(regions, servers.size());
  }

  private static Optional<BalanceStep> split(List<HomeRegion> regions, int servers) {
    return regions.stream()
        .max(Comparator.comparingInt(each -> each.homes.size()))
        .filter(largest -> largest.homes.size() > 1)
        .map(
            largest ->
                new BalanceStep.Split(
                    largest.region,
                    largest.homes.get(largest.homes.size() / 2),
                    "the homes are in %d ranges, and there are %d servers"
                        .formatted(regions.size(), servers)));
  }

  /** Moves a region from the server with the most to the one with the fewest. */
  private static Optional<BalanceStep> move(List<RegionSample> regions, List<String> servers) {
    return evened(regions, servers, "its server has %d ranges of homes, and that one %d")
        .map(move -> move);
  }

  /**
   * Returns the move of a region from the server with the most of them to the one with the fewest;
   * empty if no server has two more than another.
   *
   * @param why the reason, as a format for the two numbers
   */
  static Optional<BalanceStep.Move> evened(
      List<RegionSample> regions, List<String> servers, String why) {
    Map<String, Long> counts =
        servers.stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    server ->
                        regions.stream().filter(each -> each.server().equals(server)).count()));
    Comparator<String> byCount =
        Comparator.<String>comparingLong(server -> counts.getOrDefault(server, 0L))
            .thenComparing(Comparator.naturalOrder());
    Optional<String> most = servers.stream().max(byCount);
    Optional<String> fewest = servers.stream().min(byCount);
    if (most.isEmpty() || fewest.isEmpty()) {
      return Optional.empty();
    }
    long onMost = counts.getOrDefault(most.get(), 0L);
    long onFewest = counts.getOrDefault(fewest.get(), 0L);
    return regions.stream()
        .filter(region -> onMost - onFewest > 1 && region.server().equals(most.get()))
        .findFirst()
        .map(region -> new BalanceStep.Move(region, fewest.get(), why.formatted(onMost, onFewest)));
  }
}
