package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void aRoleIsAddedListedAndRemoved() throws IOException {
    String[] reader = {"Storage Blob Data Reader", "contoso/blob/photos", "--group", "My Team"};
    assertThat(run("add", reader)).isZero();
    assertThat(Files.readString(folder.resolve("roles")))
        .isEqualTo(
            """
            lazuli roles 1
            assign storage-blob-data-reader contoso/blob/photos * group My Team
            """);
    assertThat(run("add", reader)).isEqualTo(1);
    assertThat(err.toString()).contains("assigned already");
    assertThat(run("list")).isZero();
    assertThat(out.toString())
        .contains("Storage Blob Data Reader on contoso/blob/photos for group My Team");
    assertThat(run("remove", reader)).isZero();
    assertThat(run("remove", reader)).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("roles"))).isEqualTo("lazuli roles 1\n");
  }

  @Test
  void mistakesAreNamedAndChangeNothing() {
    assertThat(run("add", "king", "contoso", "--oid", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("storage-queue-data-message-sender");
    assertThat(run("add", "storage-blob-data-reader", "contoso/files", "--oid", "1")).isEqualTo(2);
    assertThat(run("add", "storage-blob-data-reader", "contoso")).isEqualTo(2);
    assertThat(run("add", "storage-blob-data-reader", "contoso", "--oid", "1", "--sub", "2"))
        .isEqualTo(2);
    assertThat(run("add", "storage-blob-data-reader", "contoso", "--oid", "1\nassign x"))
        .isEqualTo(2);
    assertThat(run("add", "storage-blob-data-reader", "contoso/table", "--oid", "1")).isEqualTo(1);
    assertThat(err.toString()).contains("no effect on the table service");
    assertThat(folder.resolve("roles")).doesNotExist();
  }

  private int run(String command, String... args) {
    List<String> all = new ArrayList<>(List.of("role", command, "--data", folder.toString()));
    all.addAll(List.of(args));
    return Main.commandLine(new Secrets(InputStream.nullInputStream(), Map.of()), Map.of())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
