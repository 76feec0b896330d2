package io.lazuli.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test vectors of auth 10.3 and 10.4 for tables, of table-rest 13.7, and of queue-rest 3. */
class SharedAccessTest {

  private static final Account ACCOUNT =
      Account.development(
          StorageService.TABLE, URI.create("http://127.0.0.1:10002/devstoreaccount1"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "S1 | tn=MyTable sp=raud st=ST spr=https,http spk=pkA srk=rk1 epk=pkZ erk=rk9 |"
            + " 4A9I94Pofp9QQ2LBup3OXwKXgX7yVwzbJSR2inxxR7U=",
        "S2 | tn=MyTable sp=r | mVMmUp3jvSWN5d6f263rgWbfymVRc2RTHfLrET1bw74=",
        "S3 | tn=MyTable si=policy1 se= | 7fk7F8vYktbK9ITerPezirtr6NZNSL8zDLE5ET8adv8=",
        "S4 | ss=t srt=sco sp=rwdlau st=ST spr=https,http |"
            + " zYBHBRI1j3DbNrt6VKnUX1Wx8WDD0h71g72uOvyhf7g=",
        "S5 | ss=btq srt=sco sp=rwdlacup st=ST spr=https,http sv=2024-11-04 |"
            + " JtGCA2ZF1wHlVs1+j1ygO3CZweWy3iffBGJzaFJY1NQ=",
        "13.7 | tn=Orders sp=r spk=cust-042 epk=cust-042 |"
            + " C91ZmvJpjLb3JtQKioB79EReRLeYrE/tomGVMMRRreI="
      })
  void signaturesAreThoseOfTheOfficialClients(String vector, String fields, String signature) {
    SharedAccess access =
        fields.startsWith("ss")
            ? SharedAccess.ofAccount(ACCOUNT)
            : SharedAccess.ofTable(ACCOUNT, "");
    access.with("se", "2034-01-01T00:00:00Z");
    for (String field : fields.split(" ", -1)) {
      String[] pair = field.split("=", -1);
      access.with(pair[0], pair[1].equals("ST") ? "2024-01-01T00:00:00Z" : pair[1]);
    }
    assertThat(access.signature()).as(vector).isEqualTo(signature);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sp=raup | KhRn3H4EvVmESvtxXUHTvS8mmZDic3xFb5Ri+nzD6rY=",
        "ss=btq srt=sco sp=rwdlacup | 6Q5rfytdXqoYnxe0lHOWIjYPwAO3Vazu4vi6fH73vbU="
      })
  void signaturesForQueuesAreThoseOfTheReference(String fields, String signature) {
    Account account =
        new Account(ACCOUNT.name(), ACCOUNT.key(), StorageService.QUEUE, ACCOUNT.endpoint());
    SharedAccess access =
        fields.startsWith("ss")
            ? SharedAccess.ofAccount(account)
            : SharedAccess.ofQueue(account, "orders");
    access.with("st", "2026-03-01T00:00:00Z").with("se", "2026-03-02T00:00:00Z");
    access.with("spr", "https,http").with("sv", "2025-01-05");
    for (String field : fields.split(" ", -1)) {
      String[] pair = field.split("=", -1);
      access.with(pair[0], pair[1]);
    }
    assertThat(access.signature()).isEqualTo(signature);
  }

  /** The test vectors of blob-rest 7. */
  @Test
  void signaturesForBlobsAreThoseOfTheReference() {
    Account account =
        new Account(ACCOUNT.name(), ACCOUNT.key(), StorageService.BLOB, ACCOUNT.endpoint());
    SharedAccess blob = SharedAccess.ofBlob(account, "photos", "cats/a b.txt").permissions("racwd");
    SharedAccess container = SharedAccess.ofContainer(account, "photos").permissions("rl");
    for (SharedAccess each : List.of(blob, container)) {
      each.with("st", "2026-03-01T00:00:00Z").with("se", "2026-03-02T00:00:00Z");
      each.with("sv", "2025-01-05");
    }
    assertThat(blob.with("spr", "https,http").signature())
        .isEqualTo("ef6f8UhhqQJGZUGHzkT+QanJLXigUFaXuKev4rwDvsM=");
    assertThat(container.signature()).isEqualTo("wtqpHGTXq/3EKwwBrPCq54OIidUXopyaQgOn+Ktxkl4=");
  }
}
