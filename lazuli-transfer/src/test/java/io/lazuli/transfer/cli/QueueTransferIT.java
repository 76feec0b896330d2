package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.http.Call;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.http.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues go to files and back, through the packed server. */
class QueueTransferIT {
  private static final List<String> TEXTS =
      List.of("plain", "", "a&b<c>\"d\"", "line\r\nline\n\ttab", "€ 日本 \ud83d\ude00", " spaces ");

  @TempDir Path folder;
  private final StorageClient client = Commands.client(StorageKind.QUEUE);

  private String fill(List<String> texts) {
    String queue = Commands.name();
    client.call(new Call("PUT", "/" + queue).header("x-ms-meta-colour", "blue"));
    for (String text : texts) {
      String xml =
          "<QueueMessage><MessageText>" + Xml.escape(text) + "</MessageText></QueueMessage>";
      client.call(
          new Call("POST", "/" + queue + "/messages")
              .query("messagettl", "-1")
              .body(xml.getBytes(StandardCharsets.UTF_8)));
    }
    return queue;
  }

  /** Receives all messages; returns their texts and delivery counts. */
  private List<String> receive(String queue) {
    List<String> all = new ArrayList<>();
    int before;
    do {
      before = all.size();
      all.addAll(
          client.call(
              new Call("GET", "/" + queue + "/messages").query("numofmessages", "32"),
              answer -> {
                List<String> texts = new ArrayList<>();
                Xml xml = new Xml(answer.body());
                xml.child();
                while (xml.child() != null) {
                  String count = "";
                  for (String name = xml.child(); name != null; name = xml.child()) {
                    String text = xml.text();
                    count = name.equals("DequeueCount") ? text : count;
                    if (name.equals("MessageText")) {
                      texts.add(count + ":" + text);
                    }
                  }
                }
                return texts;
              }));
    } while (all.size() > before);
    return all;
  }

  private static List<String> delivered(int count, List<String> texts) {
    return texts.stream().map(text -> count + ":" + text).toList();
  }

  @Test
  void aSmallQueueIsExportedWithoutAChange() {
    String source = fill(TEXTS);
    Path file = folder.resolve("q.jsonl");
    Commands.succeed("export", "queue", source, file);
    String target = Commands.name();
    assertThat(Commands.succeed("import", "queue", target, file)).contains("6 messages");
    assertThat(receive(source)).isEqualTo(delivered(1, TEXTS));
    assertThat(receive(target)).isEqualTo(delivered(1, TEXTS));
    assertThat(
            client.<String>call(
                new Call("GET", "/" + target).query("comp", "metadata"),
                answer -> String.valueOf(answer.header("x-ms-meta-colour"))))
        .isEqualTo("blue");
  }

  @Test
  void aLargeQueueIsReceivedOnlyOnRequestAndIsVisibleAgain() throws IOException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      texts.add("message " + i);
    }
    String source = fill(texts);
    Path file = folder.resolve("q.jsonl");
    Commands.Result refused = Commands.run("export", "queue", source, file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("--receive");
    Commands.succeed("export", "queue", "--receive", source, file);
    assertThat(Files.readAllLines(file)).hasSize(101);
    assertThat(folder.toFile().list()).containsExactly("q.jsonl");
    assertThat(receive(source)).containsExactlyInAnyOrderElementsOf(delivered(2, texts));
    String target = Commands.name();
    Commands.succeed("import", "queue", target, file);
    assertThat(receive(target)).isEqualTo(delivered(1, texts));
  }
}
