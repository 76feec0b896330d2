package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.FixtureEngineProvider;
import io.lazuli.server.WireServer;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Immutability policies and legal holds (blob-features 6), with a clock that the tests move. */
class ImmutabilityWireTest {
  private static final String CONTAINER = "/docs";

  private static WireServer server;

  @BeforeAll
  static void start() {
    FixtureEngineProvider.CLOCK.set(Ticks.systemNow());
    server = WireServer.ofImmutability();
    assertThat(server.owner("PUT", CONTAINER + "?restype=container", "").status()).isEqualTo(201);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void containersShowThatTheirBlobsCanHavePolicies() {
    String header = "x-ms-immutable-storage-with-versioning-enabled";
    assertThat(server.owner("HEAD", CONTAINER + "?restype=container", "").header(header))
        .isEqualTo("true");
    assertThat(server.owner("GET", "/?comp=list", "").body())
        .contains(
            "<ImmutableStorageWithVersioningEnabled>true</ImmutableStorageWithVersioningEnabled>");
  }
}
