package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.event.DocumentedOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of operations agrees with logs-and-metrics. */
class BlobRouteTest {
  /** The first two name further log lines of CopyBlob; no request has the third. */
  private static final Set<String> ABSENT =
      Set.of("CopyBlobSource", "CopyBlobDestination", "GetBlobLeaseInfo");

  @Test
  void everyDocumentedOperationIsInTheTable() {
    List<String> names = Arrays.stream(BlobRoute.values()).map(BlobRoute::documentedName).toList();
    Set<String> documented = DocumentedOperation.names("blob");
    documented.removeAll(ABSENT);
    assertThat(names).containsAll(documented);
    // A search of a container and one of the account have one name, but not one permission.
    assertThat(names)
        .filteredOn(name -> !name.startsWith("Unknown") && !name.equals("FindBlobsByTags"))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void theKindFollowsFromTheName(BlobRoute route) {
    DocumentedOperation documented = new DocumentedOperation(route.documentedName());
    if (!route.documentedName().equals("Unknown")) {
      assertThat(route.kind()).isEqualTo(documented.kind());
      assertThat(route.kind(0)).isEqualTo(documented.kind(0));
      assertThat(route.kind(1)).isEqualTo(documented.kind(1));
    }
  }
}
