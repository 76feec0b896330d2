package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Decides how the ranges of a table are divided at given keys and spread over the nodes, as a pure
 * function. A region can be split once at a time, so it is split at the middle one of its keys
 * first. The ranges are spread after the last split.
 *
 * @param splits the splits to make now
 * @param moves the moves to make now
 * @param missing the keys that begin no region yet
 * @param waiting these keys, or the moves that are left, or the ranges whose node is not known
 * @param nodes the number of nodes that have the ranges
 */
public record PreSplitPlan(
    List<BalanceStep> splits, List<BalanceStep> moves, int missing, int waiting, int nodes) {
  private static final String WHY = "an operator asked for it";

  /**
   * Returns the next steps.
   *
   * @param table all regions of a table
   * @param wanted the keys at which regions are to begin
   * @param nodes the nodes that answer
   */
  public static PreSplitPlan of(
      List<RegionSample> table, Collection<Bytes> wanted, List<String> nodes) {
    TreeSet<Bytes> missing = new TreeSet<>(wanted);
    table.forEach(region -> missing.remove(region.from()));
    List<BalanceStep> splits = new ArrayList<>();
    for (RegionSample region : table) {
      List<Bytes> inside = missing.stream().filter(region::contains).toList();
      if (region.isServed() && !inside.isEmpty() && splits.size() < BalancePlan.OPERATIONS_MAX) {
        splits.add(new BalanceStep.Split(region, inside.get(inside.size() / 2), WHY));
      }
    }
    List<RegionSample> made =
        new ArrayList<>(table.stream().filter(region -> isPart(region, wanted)).toList());
    List<String> homes = made.stream().map(RegionSample::server).filter(nodes::contains).toList();
    int used = (int) homes.stream().distinct().count();
    int away = made.size() - homes.size();
    if (!missing.isEmpty() || away > 0) {
      // A range without a node that answers is being opened, or its node is paused.
      int waiting = missing.isEmpty() ? away : missing.size();
      return new PreSplitPlan(splits, List.of(), missing.size(), waiting, used);
    }
    List<BalanceStep> moves = moves(made, nodes);
    return new PreSplitPlan(
        List.of(),
        moves.subList(0, Math.min(moves.size(), BalancePlan.OPERATIONS_MAX)),
        0,
        moves.size(),
        used);
  }

  /** Returns true if the region begins at one of the keys, or ends at one. */
  private static boolean isPart(RegionSample region, Collection<Bytes> wanted) {
    return wanted.contains(region.from()) || wanted.contains(region.to());
  }

  /** Returns the moves after which no node has two more of the regions than another. */
  private static List<BalanceStep> moves(List<RegionSample> made, List<String> nodes) {
    List<BalanceStep> moves = new ArrayList<>();
    for (Optional<BalanceStep.Move> move = HomeSpread.evened(made, nodes, WHY);
        move.isPresent();
        move = HomeSpread.evened(made, nodes, WHY)) {
      RegionSample region = move.get().region();
      moves.add(move.get());
      made.remove(region);
      made.add(region.servedBy(move.get().server(), 0, 0, region.bytes()));
    }
    return moves;
  }
}
