package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.ServiceName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines that Azurite 3.37.0 was observed to print. */
class AzuriteLinesTest {
  @Test
  void theCommandsForOneServiceWordThemDifferently() {
    assertThat(AzuriteLines.ALL.starting(ServiceName.BLOB, "https", "0.0.0.0:10000"))
        .isEqualTo("Azurite Blob service is starting at https://0.0.0.0:10000");
    assertThat(AzuriteLines.ALL.listening(ServiceName.QUEUE, "http", "127.0.0.1:10001"))
        .isEqualTo("Azurite Queue service is successfully listening at http://127.0.0.1:10001");
    assertThat(AzuriteLines.BLOB.starting(ServiceName.BLOB, "http", "127.0.0.1:10000"))
        .isEqualTo("Azurite Blob service is starting on 127.0.0.1:10000");
    assertThat(AzuriteLines.QUEUE.listening(ServiceName.QUEUE, "http", "127.0.0.1:10001"))
        .isEqualTo("Azurite Queue service successfully listens on http://127.0.0.1:10001");
    assertThat(AzuriteLines.TABLE.listening(ServiceName.TABLE, "http", "127.0.0.1:10002"))
        .isEqualTo("Azurite Table service successfully started on 127.0.0.1:10002");
  }

  @ParameterizedTest
  @CsvSource({"0.0.0.0,0.0.0.0", "localhost,127.0.0.1", "::1,::1", "::,::"})
  void hostNamesArePrintedAsAddresses(String host, String address) {
    assertThat(AzuriteLines.bound(host)).isEqualTo(address);
  }
}
