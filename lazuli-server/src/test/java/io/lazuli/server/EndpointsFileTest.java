package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.ServiceName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsFileTest {
  private static final Map<ServiceName, ServiceAddress> ADDRESSES =
      Map.of(
          ServiceName.BLOB, new ServiceAddress("https", "::1", 1, ""),
          ServiceName.TABLE, new ServiceAddress("http", "0.0.0.0", 2, "storage.test"));

  @TempDir private Path folder;

  @Test
  void addressesAreReadWhileTheServerRuns() {
    assertThat(EndpointsFile.read(folder)).isEmpty();
    try (EndpointsFile running = EndpointsFile.write(folder, ADDRESSES)) {
      assertThat(EndpointsFile.read(folder)).isEqualTo(ADDRESSES);
      assertThat(EndpointsFile.write(folder, Map.of())).as("a second server").isNull();
      assertThat(EndpointsFile.read(folder)).isEqualTo(ADDRESSES);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileThatNobodyLocksIsIgnored() throws Exception {
    Files.writeString(folder.resolve("endpoints"), "table http 127.0.0.1 20002\n");
    assertThat(EndpointsFile.read(folder)).isEmpty();
  }

  @Test
  void aFolderThatIsMissingIsNoFault() {
    assertThat(EndpointsFile.read(folder.resolve("missing"))).isEmpty();
    assertThat(EndpointsFile.write(folder.resolve("missing"), ADDRESSES)).isNull();
  }
}
