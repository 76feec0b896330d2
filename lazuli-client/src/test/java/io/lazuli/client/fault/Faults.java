package io.lazuli.client.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.TestAccount;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Runs a scenario once for every moment at which its client can die, each time in a world of its
 * own, lets a fresh client go on, and checks what is left.
 *
 * <p>The worlds run side by side, so that a wait for a message that becomes visible again costs
 * once, not once for every cut.
 *
 * @param <W> the names of what a scenario works on: tables, queues, containers
 */
public final class Faults<W> {
  private static final int AT_ONCE = 12;

  private final TestAccount account;
  private final Function<TestClient, W> world;

  /** Something that a client does in a world. */
  @FunctionalInterface
  public interface Act<W> {
    void run(W world, TestClient client);
  }

  private Faults(TestAccount account, Function<TestClient, W> world) {
    this.account = account;
    this.world = world;
  }

  /** Faults in worlds that {@code world} makes. */
  public static <W> Faults<W> in(TestAccount account, Function<TestClient, W> world) {
    return new Faults<>(account, world);
  }

  /**
   * Cuts the scenario before and after every request that it makes, and once not at all.
   *
   * @param scenario may swallow its death, as a worker does, but fail of nothing else
   * @param resume what happens after the death, with a client that lives
   * @param check fails if the end is not the promised one
   * @return how many requests the scenario makes if it is not cut
   */
  public int forEveryCut(Act<W> scenario, Act<W> resume, Act<W> check) {
    List<String> requests = uncut(scenario, resume, check);
    List<String> failures =
        Flux.fromStream(cuts(requests.size()))
            .flatMap(cut -> outcome(cut, requests, scenario, resume, check), AT_ONCE)
            .collectList()
            .blockOptional()
            .orElseThrow();
    if (!failures.isEmpty()) {
      throw new AssertionError(String.join(System.lineSeparator(), failures));
    }
    return requests.size();
  }

  private static Stream<Cut> cuts(int requests) {
    return IntStream.rangeClosed(1, requests)
        .boxed()
        .flatMap(request -> Stream.of(Cut.before(request), Cut.after(request)));
  }

  private List<String> uncut(Act<W> scenario, Act<W> resume, Act<W> check) {
    TestClient live = TestClient.of(account);
    W here = world.apply(live);
    TestClient client = TestClient.of(account);
    scenario.run(here, client);
    resume.run(here, live);
    check.run(here, live);
    return client.requests();
  }

  private Mono<String> outcome(
      Cut cut, List<String> requests, Act<W> scenario, Act<W> resume, Act<W> check) {
    return Mono.fromCallable(() -> failure(cut, scenario, resume, check))
        .subscribeOn(BlockingThreads.get())
        .flatMap(Mono::justOrEmpty)
        .map(failure -> said(cut, requests, failure));
  }

  private static String said(Cut cut, List<String> requests, Throwable failure) {
    String trace =
        Stream.of(failure.getStackTrace())
            .limit(8)
            .map(line -> System.lineSeparator() + "    at " + line)
            .collect(Collectors.joining());
    return "cut %s request %d of %d, %s: %s, %s%s"
        .formatted(
            cut.moment(),
            cut.request(),
            requests.size(),
            requests.get(cut.request() - 1),
            failure,
            List.of(failure.getSuppressed()),
            trace);
  }

  /** Whatever goes wrong is the outcome of this cut, and the others still run. */
  private Optional<Throwable> failure(Cut cut, Act<W> scenario, Act<W> resume, Act<W> check) {
    TestClient live = TestClient.of(account);
    try {
      W here = world.apply(live);
      die(TestClient.of(account, cut), here, scenario);
      resume.run(here, live);
      check.run(here, live);
      return Optional.empty();
    } catch (RuntimeException | AssertionError failure) {
      String last =
          live.requests().isEmpty() ? "none" : live.requests().get(live.requests().size() - 1);
      failure.addSuppressed(new AssertionError("last request of the next client: " + last));
      return Optional.of(failure);
    }
  }

  private void die(TestClient mortal, W here, Act<W> scenario) {
    try {
      scenario.run(here, mortal);
    } catch (RuntimeException failure) {
      if (!ClientDied.caused(failure)) {
        throw failure;
      }
    }
    assertThat(mortal.died()).as("the scenario got as far as the cut").isTrue();
  }
}
