package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.http.Endpoint;
import io.lazuli.transfer.http.Percent;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.table.TestTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A URL with a shared access signature takes the place of a connection string. */
class SignatureIT {
  @TempDir Path folder;

  @Test
  void aTableMovesWithSignaturesOfTheAccount() throws Exception {
    String source = Commands.name();
    TestTable.insert(Commands.table(source), TestTable.many(50));
    Path file = folder.resolve("f.csv");
    Commands.succeed("export", "table", "--url", url("rl"), source, file);
    String target = Commands.name();
    Commands.succeed("import", "table", "--url", url("rwdlacu"), target, file);
    assertThat(Commands.entities(target)).hasSize(50);
    Commands.Result result = Commands.run("import", "table", "--url", url("rl"), target, file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("AuthorizationPermissionMismatch");
  }

  private static String url(String permissions) throws Exception {
    Endpoint endpoint =
        Endpoint.ofConnectionString(PackedServer.connectionString(), StorageKind.TABLE);
    String text =
        endpoint.account()
            + "\n"
            + permissions
            + "\nt\nsco\n\n2099-01-01T00:00:00Z\n\n\n2019-12-12\n";
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Objects.requireNonNull(endpoint.key()), "HmacSHA256"));
    String signature =
        Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    return endpoint.base()
        + "?sv=2019-12-12&ss=t&srt=sco&se=2099-01-01T00%3A00%3A00Z&sp="
        + permissions
        + "&sig="
        + Percent.encode(signature);
  }
}
