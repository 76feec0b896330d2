package io.lazuli.server.queue.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.DocumentedOperation;
import io.lazuli.server.event.OperationKind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of operations agrees with logs-and-metrics. */
class QueueRouteTest {
  /** Newer names, and a name whose request is not documented. */
  private static final Set<String> ABSENT = Set.of("GetQueue", "GetMessageRead", "GetMessageWrite");

  @Test
  void everyDocumentedOperationIsInTheTable() {
    List<String> names =
        Arrays.stream(QueueRoute.values()).map(QueueRoute::documentedName).toList();
    Set<String> documented = DocumentedOperation.names("queue");
    documented.removeAll(ABSENT);
    assertThat(names).containsAll(documented);
    assertThat(names).filteredOn(name -> !name.startsWith("Unknown")).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void theKindFollowsFromTheName(QueueRoute route) {
    DocumentedOperation documented = new DocumentedOperation(route.documentedName());
    if (!route.documentedName().equals("Unknown")) {
      assertThat(route.kind()).isEqualTo(documented.kind());
      assertThat(route.kind(0)).isEqualTo(documented.kind(0));
      assertThat(route.kind(1)).isEqualTo(documented.kind(1));
    }
  }

  @Test
  void aGetWithoutMessagesIsARead() {
    assertThat(QueueRoute.GET_MESSAGES.kind(0)).isEqualTo(OperationKind.READ);
    assertThat(QueueRoute.GET_MESSAGES.kind(2)).isEqualTo(OperationKind.WRITE);
    assertThat(QueueRoute.GET_MESSAGES.kind()).isEqualTo(OperationKind.WRITE);
  }
}
