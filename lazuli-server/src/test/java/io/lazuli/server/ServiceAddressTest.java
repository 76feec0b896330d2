package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.ServiceName;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAddressTest {
  @ParameterizedTest
  @CsvSource({
    "http,127.0.0.1,10000,'',http://127.0.0.1:10000/acct",
    "http,0.0.0.0,80,'',http://127.0.0.1:80/acct",
    "https,::1,1,'',https://[::1]:1/acct",
    "http,127.0.0.1,10020,localhost,http://acct.blob.localhost:10020",
    "http,0.0.0.0,80,storage.test,http://acct.blob.storage.test",
    "https,0.0.0.0,80,storage.test,https://acct.blob.storage.test:80",
    "https,::1,443,storage.test,https://acct.blob.storage.test",
  })
  void theAccountIsInThePathOrInTheHost(
      String scheme, String host, int port, String domain, String url) {
    assertThat(new ServiceAddress(scheme, host, port, domain).url(ServiceName.BLOB, "acct"))
        .isEqualTo(url);
  }

  /** The ports are those of PathStylePorts in Azure/azure-sdk-for-net. */
  @ParameterizedTest
  @ValueSource(ints = {10000, 10004, 10100, 10104, 11000, 11004, 11100, 11104})
  void someSdksMistakeThePortsOfEmulators(int port) {
    assertThat(ServiceAddress.isMistaken(port)).isTrue();
  }

  @Test
  void otherPortsAreNotMistaken() {
    for (int port : new int[] {80, 443, 9999, 10005, 10020, 10099, 10105, 10200, 10900, 11105}) {
      assertThat(ServiceAddress.isMistaken(port)).as("%s", port).isFalse();
    }
    assertThat(IntStream.rangeClosed(0, 65_535).filter(ServiceAddress::isMistaken)).hasSize(20);
  }
}
