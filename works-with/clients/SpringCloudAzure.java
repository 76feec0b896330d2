import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.util.BinaryData;
import com.azure.spring.cloud.core.resource.AzureStorageBlobProtocolResolver;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.models.QueueMessageItem;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.WritableResource;

/** What an application does with the starters of Spring Cloud Azure. */
class SpringCloudAzure {
  private static ConfigurableApplicationContext context;

  @EnableAutoConfiguration
  static class App {}

  @BeforeAll
  static void start() {
    String connection = System.getenv("connection");
    String blob = "--spring.cloud.azure.storage.blob.";
    String queue = "--spring.cloud.azure.storage.queue.";
    context =
        new SpringApplicationBuilder(App.class)
            .web(WebApplicationType.NONE)
            .run(
                blob + "connection-string=" + connection,
                blob + "container-name=files",
                blob + "blob-name=from-context",
                queue + "connection-string=" + connection,
                // Without it, the starter asks a host of Azure, whatever the connection string says.
                queue + "endpoint=" + System.getenv("queue"),
                queue + "queue-name=work");
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static Resource resource(String name) {
    return context.getResource("azure-blob://files/" + name);
  }

  private static void write(String name, byte[] data) throws Exception {
    try (OutputStream out = ((WritableResource) resource(name)).getOutputStream()) {
      out.write(data);
    }
  }

  private static byte[] large() {
    byte[] data = new byte[20_000_000];
    new Random(1).nextBytes(data);
    return data;
  }

  @Test
  @Tag("before")
  void resources() throws Exception {
    context.getBean(BlobContainerClient.class).createIfNotExists();
    assertFalse(resource("a/one.txt").exists());
    for (String name : new String[] {"a/one.txt", "a/two ä.txt", "a/日本語.txt", "a/plus+.txt"}) {
      write(name, name.getBytes(StandardCharsets.UTF_8));
      assertTrue(resource(name).exists());
      assertEquals(
          name, new String(resource(name).getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
    write("large.bin", large());
    assertEquals(large().length, resource("large.bin").contentLength());
  }

  @Test
  @Tag("before")
  void clientsOfTheContext() {
    context.getBean(BlobServiceClient.class).getProperties();
    context.getBean(BlobContainerClient.class).createIfNotExists();
    context.getBean(BlobClient.class).upload(BinaryData.fromString("hello"), true);
    assertEquals("hello", context.getBean(BlobClient.class).downloadContent().toString());
  }

  @Test
  @Tag("before")
  void queues() {
    QueueClient queue = context.getBean(QueueClient.class);
    queue.createIfNotExists();
    queue.sendMessage("one <&> ä");
    queue.sendMessage("two");
    QueueMessageItem first = queue.receiveMessage();
    assertEquals("one <&> ä", first.getBody().toString());
    queue.deleteMessage(first.getMessageId(), first.getPopReceipt());
    assertTrue(
        context.getBean(QueueServiceClient.class).listQueues().stream()
            .anyMatch(q -> q.getName().equals("work")));
  }

  @Test
  @Tag("after")
  void everythingIsThere() throws Exception {
    assertArrayEquals(large(), resource("large.bin").getInputStream().readAllBytes());
    assertEquals("two", context.getBean(QueueClient.class).peekMessage().getBody().toString());
    AzureStorageBlobProtocolResolver resolver =
        context.getBean(AzureStorageBlobProtocolResolver.class);
    assertEquals(4, resolver.getResources("azure-blob://files/a/*.txt").length);
  }

  @Test
  @Tag("after")
  void delete() {
    assertTrue(context.getBean(BlobClient.class).deleteIfExists());
  }
}
