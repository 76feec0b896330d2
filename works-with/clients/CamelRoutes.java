import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.azure.storage.blob.BlobBlock;
import org.apache.camel.component.azure.storage.blob.BlobConstants;
import org.apache.camel.component.azure.storage.queue.QueueConstants;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What routes do with Camel's components for blobs and queues. */
class CamelRoutes {
  private static final String ACCOUNT = System.getenv("account");
  private DefaultCamelContext context;
  private ProducerTemplate template;

  @BeforeEach
  void start() {
    context = new DefaultCamelContext();
    String connection = System.getenv("connection");
    context
        .getRegistry()
        .bind("blobs", new BlobServiceClientBuilder().connectionString(connection).buildClient());
    context
        .getRegistry()
        .bind("queues", new QueueServiceClientBuilder().connectionString(connection).buildClient());
    context.start();
    template = context.createProducerTemplate();
  }

  @AfterEach
  void stop() {
    context.stop();
  }

  private static String blob(String container, String operation) {
    return "azure-storage-blob://"
        + ACCOUNT
        + "/"
        + container
        + "?serviceClient=#blobs&operation="
        + operation;
  }

  private static String queue(String name, String operation) {
    return "azure-storage-queue://"
        + ACCOUNT
        + "/"
        + name
        + "?serviceClient=#queues&operation="
        + operation;
  }

  private Object ask(String uri, Object body, String name) {
    Map<String, Object> headers = name == null ? Map.of() : Map.of(BlobConstants.BLOB_NAME, name);
    return template.requestBodyAndHeaders(uri, body, headers);
  }

  /** Answers with the content of the blob. */
  private byte[] read(String container, String name) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ask(blob(container, "getBlob"), out, name);
    return out.toByteArray();
  }

  private static byte[] large() {
    byte[] data = new byte[20_000_000];
    new Random(1).nextBytes(data);
    return data;
  }

  @Test
  @Tag("before")
  void blobs() {
    ask(blob("files", "createBlobContainer"), null, null);
    for (String name : List.of("a/one.txt", "a space.txt", "ä.txt", "日本語.txt", "plus+.txt")) {
      ask(blob("files", "uploadBlockBlob"), name, name);
      assertEquals(name, new String(read("files", name), UTF_8));
    }
    ask(blob("files", "uploadBlockBlob"), new ByteArrayInputStream(large()), "large.bin");
    assertArrayEquals(large(), read("files", "large.bin"));
    List<?> found = (List<?>) ask(blob("files", "listBlobs"), null, null);
    assertEquals(6, found.size());
    assertTrue(found.get(0) instanceof BlobItem);
    ask(blob("files", "deleteBlob"), null, "plus+.txt");
    assertEquals(5, ((List<?>) ask(blob("files", "listBlobs"), null, null)).size());
  }

  @Test
  @Tag("before")
  void blocks() throws Exception {
    ask(blob("blocks", "createBlobContainer"), null, null);
    List<BlobBlock> blocks =
        List.of(
            BlobBlock.createBlobBlock(new ByteArrayInputStream("one".getBytes(UTF_8))),
            BlobBlock.createBlobBlock(new ByteArrayInputStream("two".getBytes(UTF_8))));
    template.requestBodyAndHeaders(
        blob("blocks", "stageBlockBlobList"),
        blocks,
        Map.of(BlobConstants.BLOB_NAME, "joined", BlobConstants.COMMIT_BLOCK_LIST_LATER, false));
    assertEquals("onetwo", new String(read("blocks", "joined"), UTF_8));
  }

  @Test
  @Tag("before")
  void appendBlobs() {
    ask(blob("logs", "createBlobContainer"), null, null);
    ask(blob("logs", "createAppendBlob"), null, "log");
    for (String line : List.of("one\n", "two\n")) {
      ask(blob("logs", "commitAppendBlob"), new ByteArrayInputStream(line.getBytes(UTF_8)), "log");
    }
    assertEquals("one\ntwo\n", new String(read("logs", "log"), UTF_8));
  }

  @Test
  @Tag("before")
  void messages() {
    template.requestBody(queue("work", "createQueue"), (Object) null);
    for (String text : List.of("one", "two <&> ä")) {
      template.requestBody(queue("work", "sendMessage"), text);
    }
    Exchange answer = template.request(queue("work", "receiveMessages"), e -> {});
    QueueMessageItem first = (QueueMessageItem) answer.getMessage().getBody(List.class).get(0);
    assertEquals("one", first.getBody().toString());
    template.requestBodyAndHeaders(
        queue("work", "deleteMessage"),
        null,
        Map.of(
            QueueConstants.MESSAGE_ID, first.getMessageId(),
            QueueConstants.POP_RECEIPT, first.getPopReceipt()));
  }

  @Test
  @Tag("after")
  void aRouteConsumesAContainer() throws Exception {
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("azure-storage-blob://" + ACCOUNT + "/files?serviceClient=#blobs&prefix=a")
                .convertBodyTo(String.class)
                .to("mock:blobs");
          }
        });
    MockEndpoint mock = context.getEndpoint("mock:blobs", MockEndpoint.class);
    mock.expectedMinimumMessageCount(2);
    mock.setResultWaitTime(60_000);
    mock.assertIsSatisfied();
  }

  @Test
  @Tag("after")
  void aRouteConsumesAQueue() throws Exception {
    context.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            from("azure-storage-queue://" + ACCOUNT + "/work?serviceClient=#queues")
                .convertBodyTo(String.class)
                .to("mock:messages");
          }
        });
    MockEndpoint mock = context.getEndpoint("mock:messages", MockEndpoint.class);
    mock.expectedBodiesReceived("two <&> ä");
    mock.setResultWaitTime(60_000);
    mock.assertIsSatisfied();
  }
}
