package io.lazuli.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.DocumentedOperation;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.rehearsal.Rehearsal;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RehearsedTroubleTest {
  @ParameterizedTest
  @CsvSource({
    "POST,PutMessage,true",
    "GET,GetMessages,true",
    "GET,GetMessage,true",
    "GET,PeekMessages,false",
    "GET,ListQueues,false",
    "HEAD,GetQueueMetadata,false",
  })
  void onlyAnswersToWritesAreLost(String method, String operation, boolean lost) {
    RehearsedTrouble trouble =
        new RehearsedTrouble(
            new Dice(Rehearsal.parse("timeout-after=90,seed=1")),
            request -> new DocumentedOperation(operation));
    int losses = 0;
    for (int i = 0; i < 50; i++) {
      losses += isAnswered(trouble, TestRequests.of(method, "/acme/orders/messages")) ? 0 : 1;
    }
    assertThat(losses > 0).isEqualTo(lost);
  }

  private static boolean isAnswered(RehearsedTrouble trouble, Request request) {
    try {
      Response done = Response.of(200).build();
      trouble
          .handle(request, ignored -> CompletableFuture.completedFuture(done))
          .toCompletableFuture()
          .join();
      return true;
    } catch (ServiceException e) {
      return false;
    }
  }
}
