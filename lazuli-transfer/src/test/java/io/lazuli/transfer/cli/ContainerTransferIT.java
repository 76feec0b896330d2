package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.http.Call;
import io.lazuli.transfer.http.Percent;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.StorageKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers go to folders and back, through the packed server. */
class ContainerTransferIT {
  private static final List<String> NAMES =
      List.of(
          "a",
          "a/b",
          "A",
          "a//c",
          "dir/",
          "x:y*z",
          "con.txt",
          "trailing.",
          "ä/日本.txt",
          "100%",
          "n".repeat(300),
          "quote'\"",
          "space here");

  @TempDir Path folder;
  private final StorageClient client = Commands.client(StorageKind.BLOB);

  private String container() {
    String name = Commands.name();
    client.call(
        new Call("PUT", "/" + name)
            .query("restype", "container")
            .header("x-ms-meta-colour", "blue"));
    return name;
  }

  private static String path(String container, String blob) {
    return "/" + container + "/" + Percent.encodePath(blob);
  }

  private void put(String container, String blob, byte[] content) {
    client.call(
        new Call("PUT", path(container, blob))
            .header("x-ms-blob-type", "BlockBlob")
            .header("x-ms-blob-content-type", "text/x-test")
            .header("x-ms-blob-cache-control", "no-store")
            .header("x-ms-meta-owner", "me")
            .header("x-ms-tags", "state=new&kind=a%2Bb")
            .body(content));
  }

  private byte[] content(String container, String blob) {
    return client.call(
        new Call("GET", path(container, blob)), answer -> answer.body().readAllBytes());
  }

  private String header(String container, String blob, String name) {
    return client.call(
        new Call("HEAD", path(container, blob)), answer -> String.valueOf(answer.header(name)));
  }

  private String tags(String container, String blob) {
    return client.call(
        new Call("GET", path(container, blob)).query("comp", "tags"), answer -> answer.text());
  }

  @Test
  void blobsKeepTheirNamesContentsAndProperties() throws IOException {
    String source = container();
    for (String name : NAMES) {
      put(source, name, name.getBytes(StandardCharsets.UTF_8));
    }
    byte[] large = new byte[9 << 20];
    new Random(3).nextBytes(large);
    client.call(
        new Call("PUT", path(source, "large")).header("x-ms-blob-type", "BlockBlob").body(large));
    client.call(new Call("PUT", path(source, "log")).header("x-ms-blob-type", "AppendBlob"));
    client.call(
        new Call("PUT", path(source, "log")).query("comp", "appendblock").body(new byte[] {1, 2}));
    byte[] pages = new byte[5 << 20];
    Arrays.fill(pages, (4 << 20) + 512, (4 << 20) + 1024, (byte) 7);
    client.call(
        new Call("PUT", path(source, "disk"))
            .header("x-ms-blob-type", "PageBlob")
            .header("x-ms-blob-content-length", "" + pages.length));
    client.call(
        new Call("PUT", path(source, "disk"))
            .query("comp", "page")
            .header("x-ms-page-write", "update")
            .header("x-ms-range", "bytes=4194816-4195327")
            .body(Arrays.copyOfRange(pages, 4194816, 4195328)));
    Commands.succeed("export", "container", source, folder);
    assertThat(Files.readAllLines(folder.resolve("properties.jsonl"))).hasSize(NAMES.size() + 3);

    String target = Commands.name();
    Commands.succeed("import", "container", target, folder);
    for (String name : NAMES) {
      assertThat(content(target, name)).asString(StandardCharsets.UTF_8).isEqualTo(name);
    }
    assertThat(content(target, "large")).isEqualTo(large);
    assertThat(content(target, "log")).containsExactly(1, 2);
    assertThat(content(target, "disk")).isEqualTo(pages);
    for (String blob : List.of("log", "disk", "a")) {
      assertThat(header(target, blob, "x-ms-blob-type"))
          .isEqualTo(header(source, blob, "x-ms-blob-type"));
    }
    for (String header :
        List.of("content-type", "cache-control", "content-md5", "x-ms-meta-owner")) {
      assertThat(header(target, "a/b", header)).isEqualTo(header(source, "a/b", header));
    }
    assertThat(tags(target, "a/b")).isEqualTo(tags(source, "a/b")).contains("a+b");
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder("blobs", "properties.jsonl", "container.json");
  }

  @Test
  void aKilledExportContinues() throws Exception {
    String source = container();
    byte[] content = new byte[100_000];
    for (int i = 0; i < 200; i++) {
      put(source, "blob-" + i, content);
    }
    Path state = folder.resolve("state.json");
    Process process = Commands.start("export", "container", "--parallel", 2, source, folder);
    while (process.isAlive() && !Files.exists(folder.resolve("blobs/blob-11"))) {
      process.waitFor(1, TimeUnit.MILLISECONDS);
    }
    process.destroyForcibly();
    assertThat(process.waitFor()).as("killed").isNotZero();
    assertThat(state).exists();
    assertThat(Commands.succeed("export", "container", source, folder)).contains("200 blobs");
    Path whole = folder.resolve("whole");
    Commands.succeed("export", "container", source, whole);
    assertThat(
            Files.mismatch(folder.resolve("properties.jsonl"), whole.resolve("properties.jsonl")))
        .isEqualTo(-1);
    String[] files = whole.resolve("blobs").toFile().list();
    assertThat(folder.resolve("blobs").toFile().list()).containsExactlyInAnyOrder(files);
  }

  @Test
  void aFileOutsideOfTheFolderIsNotUploaded() throws IOException {
    Files.writeString(folder.resolve("secret"), "x");
    Path exported = Files.createDirectory(folder.resolve("exported"));
    Files.createDirectory(exported.resolve("blobs"));
    Files.writeString(exported.resolve("container.json"), "{}");
    Files.writeString(
        exported.resolve("properties.jsonl"),
        "{\"name\":\"a\",\"file\":\"../../secret\",\"type\":\"BlockBlob\",\"bytes\":1}\n");
    Commands.Result result = Commands.run("import", "container", Commands.name(), exported);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("outside");
  }
}
