package io.lazuli.storage.hbase.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.HomeSpread.HomeRegion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the regions of the catalogue are split and moved until every server has one. */
final class HomeSpreadTest {
  private static final List<String> SERVERS = List.of("a", "b", "c");

  @Test
  void allServersGetARegionInFourSteps() {
    List<HomeRegion> regions = List.of(region("", "", "a", "1", "2", "3", "4", "5", "6"));
    List<String> steps = new ArrayList<>();
    for (Optional<BalanceStep> step = HomeSpread.next(regions, SERVERS);
        step.isPresent();
        step = HomeSpread.next(regions, SERVERS)) {
      steps.add(step.get().getClass().getSimpleName());
      regions = after(regions, step.get());
    }
    assertThat(steps).containsExactly("Split", "Move", "Split", "Move");
    assertThat(regions)
        .extracting(each -> each.region().server())
        .containsExactlyInAnyOrderElementsOf(SERVERS);
    assertThat(regions).extracting(each -> each.homes().size()).allMatch(homes -> homes >= 1);
  }

  @Test
  void aRegionWithOneHomeStays() {
    assertThat(HomeSpread.next(List.of(region("", "", "a", "1")), SERVERS)).isEmpty();
  }

  @Test
  void nothingHappensWhileARegionIsNotServed() {
    List<HomeRegion> regions =
        List.of(region("", "3", "", "1", "2"), region("3", "", "a", "3", "4"));
    assertThat(HomeSpread.next(regions, SERVERS)).isEmpty();
  }

  @Test
  void aServerThatTookOverGivesOneBack() {
    List<HomeRegion> regions =
        List.of(region("", "2", "a", "1"), region("2", "3", "a", "2"), region("3", "", "b", "3"));
    BalanceStep.Move move = (BalanceStep.Move) HomeSpread.next(regions, SERVERS).orElseThrow();
    assertThat(move.server()).isEqualTo("c");
    assertThat(move.what(SpaceLabels.COUNTERS)).startsWith("move catalog ").endsWith(" to c");
  }

  private static List<HomeRegion> after(List<HomeRegion> regions, BalanceStep step) {
    List<HomeRegion> next = new ArrayList<>();
    for (HomeRegion each : regions) {
      RegionSample old = each.region();
      if (!step.regions().contains(old)) {
        next.add(each);
      } else if (step instanceof BalanceStep.Move move) {
        next.add(new HomeRegion(old.servedBy(move.server(), 0, 0, 0), each.homes()));
      } else if (step instanceof BalanceStep.Split split) {
        int at = each.homes().indexOf(split.at());
        next.add(
            new HomeRegion(
                sample(old.from(), split.at(), old.server()), each.homes().subList(0, at)));
        next.add(
            new HomeRegion(
                sample(split.at(), old.to(), old.server()),
                each.homes().subList(at, each.homes().size())));
      }
    }
    return next;
  }

  private static HomeRegion region(String from, String to, String server, String... homes) {
    return new HomeRegion(
        sample(bytes(from), bytes(to), server),
        Arrays.stream(homes).map(HomeSpreadTest::bytes).toList());
  }

  private static RegionSample sample(Bytes from, Bytes to, String server) {
    return new RegionSample("catalog", from, from, to, server, 0, 0, 0);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
