package io.lazuli.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * There is no container engine where the build runs: the cases of the image run the container's
 * command line, and this test checks what clients get.
 */
class LazuliContainerTest {
  /** A container that seems to run. */
  private static final class Running extends LazuliContainer {
    Running() {
      super("lazuli:0.1.0");
    }

    @Override
    public String getHost() {
      return "docker.example";
    }

    @Override
    public Integer getMappedPort(int port) {
      return port + 20_000;
    }
  }

  @Test
  void exposesThePortsOfAzuriteAndNoOther() {
    assertThat(new Running().getExposedPorts()).containsExactly(10000, 10001, 10002);
  }

  @Test
  void aConnectionStringNamesAllServicesAtTheMappedPorts() {
    assertThat(new Running().getConnectionString())
        .startsWith("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=Eby8")
        .contains(";BlobEndpoint=http://docker.example:30000/devstoreaccount1;")
        .contains(";QueueEndpoint=http://docker.example:30001/devstoreaccount1;")
        .endsWith(";TableEndpoint=http://docker.example:30002/devstoreaccount1;");
  }

  @Test
  void anAccountOfOnesOwnReplacesTheDevelopmentAccount() {
    LazuliContainer container = new Running().withAccount("contoso", "a2V5");
    assertThat(container.getEnvMap()).containsEntry("AZURITE_ACCOUNTS", "contoso:a2V5");
    assertThat(container.getConnectionString("contoso", "a2V5"))
        .contains("AccountName=contoso;AccountKey=a2V5;")
        .contains(":30002/contoso;");
  }
}
