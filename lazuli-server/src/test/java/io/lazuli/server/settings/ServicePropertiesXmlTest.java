package io.lazuli.server.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServicePropertiesXmlTest {
  @ParameterizedTest
  @ValueSource(strings = {"2021-13-06", "2021-00-06", "2021-08-32", "2021-8-6", "latest"})
  void theDefaultVersionIsADate(String version) {
    assertThatThrownBy(() -> ServicePropertiesXml.parse(document(version), true))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("InvalidXmlDocument");
  }

  @Test
  void anEarlierDefaultVersionIsStillRead() {
    assertThat(ServicePropertiesXml.parseStored(document("2021-13-06")).defaultVersion())
        .isEqualTo("2021-13-06");
  }

  private static byte[] document(String version) {
    return ("<StorageServiceProperties><DefaultServiceVersion>"
            + version
            + "</DefaultServiceVersion></StorageServiceProperties>")
        .getBytes(UTF_8);
  }
}
