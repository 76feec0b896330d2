package io.lazuli.testcontainers;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container, for tests. The image is one that {@code deploy/build-image} makes, or
 * any image with the ports of Azurite. The data is gone when the container is.
 *
 * <pre>{@code
 * @Container static final LazuliContainer LAZULI = new LazuliContainer("lazuli:0.1.0");
 *
 * TableServiceClient tables =
 *     new TableServiceClientBuilder().connectionString(LAZULI.getConnectionString()).buildClient();
 * }</pre>
 *
 * <p>The methods have the names of {@code AzuriteContainer}, so that a test needs another type and
 * another image only.
 */
public class LazuliContainer extends GenericContainer<LazuliContainer> {
  /** The account that every emulator of Azure storage has. */
  private static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

  /** Published in Azure's documentation; it protects nothing. */
  private static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final int BLOB_PORT = 10000;
  private static final int QUEUE_PORT = 10001;
  private static final int TABLE_PORT = 10002;

  /** Creates a container of an image, for example {@code lazuli:0.1.0}. */
  public LazuliContainer(String image) {
    this(DockerImageName.parse(image));
  }

  /** Creates a container of an image. */
  // Containers are described in constructors, with methods that subclasses may override.
  @SuppressWarnings("this-escape")
  public LazuliContainer(DockerImageName image) {
    super(image);
    withExposedPorts(BLOB_PORT, QUEUE_PORT, TABLE_PORT);
    // The ports open last, when the store has been read.
    waitingFor(Wait.forListeningPort());
  }

  /**
   * Replaces the development account by one of your own. {@code AZURITE_ACCOUNTS} means the same to
   * Azurite.
   *
   * @param key the key in base64
   */
  public LazuliContainer withAccount(String name, String key) {
    return withEnv("AZURITE_ACCOUNTS", name + ":" + key);
  }

  /** Returns the connection string of the development account, for blobs, queues and tables. */
  public String getConnectionString() {
    return getConnectionString(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY);
  }

  /** Returns the connection string of an account. The container must run. */
  public String getConnectionString(String account, String key) {
    return "DefaultEndpointsProtocol=http;AccountName="
        + account
        + ";AccountKey="
        + key
        + endpoint("Blob", BLOB_PORT, account)
        + endpoint("Queue", QUEUE_PORT, account)
        + endpoint("Table", TABLE_PORT, account)
        + ";";
  }

  private String endpoint(String service, int port, String account) {
    return ";"
        + service
        + "Endpoint=http://"
        + getHost()
        + ":"
        + getMappedPort(port)
        + "/"
        + account;
  }
}
