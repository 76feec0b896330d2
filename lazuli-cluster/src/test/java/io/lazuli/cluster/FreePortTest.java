package io.lazuli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FreePortTest {
  @ParameterizedTest
  @CsvSource({
    "32768 60999,15000,30000",
    "49152 65535,15000,30000",
    "20000 60999,15000,20000",
    "15100 40000,40001,65536",
    "1024 60999,61000,65536",
    "1024 65535,15000,30000",
  })
  void portsAreOutsideTheRangeOfOutgoingConnections(String outgoing, int first, int end) {
    assertThat(FreePort.outside(FreePort.parse(outgoing.replace(' ', '\t') + "\n")))
        .isEqualTo(new FreePort.Range(first, end));
  }

  @Test
  void noPortIsFoundTwice() {
    Set<Integer> found = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      assertThat(found.add(FreePort.find())).isTrue();
    }
  }

  @Test
  void aPortThatIsFoundCanBeUsed() throws IOException {
    int port = FreePort.find();
    try (ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(listener.isBound()).isTrue();
    }
    assertThat(FreePort.warning(port, port + 1)).isEmpty();
  }

  @Test
  void portsOfOutgoingConnectionsCauseAWarning() throws IOException {
    // The system chooses a port from the range.
    try (ServerSocket chosen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = chosen.getLocalPort();
      assertThat(FreePort.warning(port, port + 1)).contains("outgoing connection");
    }
  }
}
