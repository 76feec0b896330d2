package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the engine changes in the settings of a file. */
class ClusterConnectionTest {
  private static final String SECURE = "hbase.zookeeper.property.client.secure";
  private static final String SOCKET = "hbase.zookeeper.property.clientCnxnSocket";

  @TempDir Path folder;

  @Test
  void theSocketOfZooKeeperIsFoundInThePackageOfHBasesClient() throws IOException {
    assertThat(site(SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty").get(SOCKET))
        .isEqualTo("ClientCnxnSocketNetty");
    assertThat(site(SOCKET, "com.example.Socket").get(SOCKET)).isEqualTo("com.example.Socket");
  }

  @Test
  void aSecureConnectionToZooKeeperNeedsNoNameOfASocket() throws IOException {
    assertThat(site(SECURE, "true").get(SOCKET)).isEqualTo("ClientCnxnSocketNetty");
    assertThat(site(SECURE, "false").get(SOCKET)).isNull();
  }

  private Configuration site(String key, String value) throws IOException {
    Path file = folder.resolve("hbase-site.xml");
    Files.writeString(
        file,
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(key, value));
    return ClusterConnection.configuration(file);
  }
}
