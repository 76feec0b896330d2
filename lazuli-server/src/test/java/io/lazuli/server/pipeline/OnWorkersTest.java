package io.lazuli.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.http.WorkerPool;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OnWorkersTest {
  private static final Response ANSWER = Response.of(200).build();

  private final WorkerPool workers = new WorkerPool("test-worker", 1, 1);

  @AfterEach
  void close() {
    workers.close();
  }

  @Test
  void aStepThatMayWaitRunsOnAWorker() {
    assertThat(threadOf(new OnWorkers(workers, true), request(0))).startsWith("test-worker");
  }

  @Test
  void aShortRequestThatNeverWaitsStaysOnItsThread() {
    assertThat(threadOf(new OnWorkers(workers, false), request(AnswerBudget.SMALL_BYTES_MAX)))
        .isEqualTo(Thread.currentThread().getName());
  }

  @Test
  void aLongRequestIsDecodedOnAWorker() {
    assertThat(threadOf(new OnWorkers(workers, false), request(AnswerBudget.SMALL_BYTES_MAX + 1)))
        .startsWith("test-worker");
  }

  @Test
  void anAnswerThatComesLaterIsPassedOn() {
    CompletableFuture<Response> later = new CompletableFuture<>();
    CompletionStage<Response> answer =
        new OnWorkers(workers, false).handle(request(0), request -> later);
    assertThat(answer.toCompletableFuture()).isNotDone();
    later.complete(ANSWER);
    assertThat(answer.toCompletableFuture()).isCompletedWithValue(ANSWER);
  }

  private static Request request(int bodyBytes) {
    return TestRequests.of("POST", "/acct/table").withBody(new byte[bodyBytes]);
  }

  private static String threadOf(Step step, Request request) {
    CompletableFuture<String> name = new CompletableFuture<>();
    Response answer =
        step.handle(
                request,
                handled -> {
                  name.complete(Thread.currentThread().getName());
                  return CompletableFuture.completedFuture(ANSWER);
                })
            .toCompletableFuture()
            .join();
    assertThat(answer).isSameAs(ANSWER);
    return name.join();
  }
}
