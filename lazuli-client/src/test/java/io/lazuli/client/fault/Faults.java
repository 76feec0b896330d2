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
 * Runs a scenario once for every moment at which its client can die, each time in its own
 * environment, lets a new client continue, and checks the result.
 *
 * <p>The environments run in parallel, so that waiting for a message to become visible costs time
 * once, not once for every cut.
 *
 * @param <W> the environment: the names of the tables, queues and containers of a scenario
 */
public final class Faults<W> {
  private static final int AT_ONCE = 32;
  private static final int RUNS_MAX = 40;

  private final TestAccount account;
  private final Function<TestClient, W> world;

  /** An action of a client in an environment. */
  @FunctionalInterface
  public interface Act<W> {
    void run(W world, TestClient client);
  }

  private Faults(TestAccount account, Function<TestClient, W> world) {
    this.account = account;
    this.world = world;
  }

  /** Creates environments with {@code world}. */
  public static <W> Faults<W> in(TestAccount account, Function<TestClient, W> world) {
    return new Faults<>(account, world);
  }

  /**
   * Cuts the scenario before and after every request that it sends, and runs it once without a cut.
   *
   * @param scenario may ignore its death, as a worker does, but must not fail for any other reason
   * @param resume runs after the death, with a new client
   * @param check fails if the result is not the guaranteed one
   * @return the number of requests of the scenario without a cut
   */
  public int forEveryCut(Act<W> scenario, Act<W> resume, Act<W> check) {
    List<String> requests = usual(scenario, resume, check);
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

  /**
   * Returns the requests of a run without a cut. In a rehearsal, a time-out can cause more or fewer
   * requests, so runs with time-outs are repeated.
   */
  private List<String> usual(Act<W> scenario, Act<W> resume, Act<W> check) {
    TestClient client = uncut(scenario, resume, check);
    for (int run = 1; run < RUNS_MAX && client.timedOut(); run++) {
      client = uncut(scenario, resume, check);
    }
    return client.requests();
  }

  /** Returns the client, which has timed out if any request of the run has. */
  private TestClient uncut(Act<W> scenario, Act<W> resume, Act<W> check) {
    TestClient live = TestClient.of(account);
    TestClient client = TestClient.sharingTimeouts(account, live);
    W here = world.apply(live);
    scenario.run(here, client);
    resume.run(here, live);
    check.run(here, live);
    return client;
  }

  private Mono<String> outcome(
      Cut cut, List<String> requests, Act<W> scenario, Act<W> resume, Act<W> check) {
    return Mono.fromCallable(() -> failure(cut, scenario, resume, check))
        .subscribeOn(BlockingThreads.get())
        .flatMap(Mono::justOrEmpty)
        .map(failure -> describe(cut, requests, failure));
  }

  private static String describe(Cut cut, List<String> requests, Throwable failure) {
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

  /** Returns any failure as the outcome of this cut, so that the other cuts still run. */
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
    if (!account.isRehearsed()) {
      assertThat(mortal.died()).as("the scenario got as far as the cut").isTrue();
    }
  }
}
