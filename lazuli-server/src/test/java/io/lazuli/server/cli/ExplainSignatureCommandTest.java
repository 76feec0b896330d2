package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountKey;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The vectors of auth 10, and each common mistake: made on purpose, and found. */
class ExplainSignatureCommandTest {
  private static final String DATE = "Mon, 15 Jan 2024 10:30:00 GMT";
  private static final String NOW = "2024-01-15T10:31:00Z";
  private static final String BASE = "http://127.0.0.1:10002/devstoreaccount1";
  private static final String ACCOUNT = "devstoreaccount1";
  private static final AccountKey KEY = Account.development().keys().get(0);
  private static final AccountKey OTHER = new AccountKey("a2V5IG9uZSBvZiB0aGUgYWNjb3VudA==");
  private static final AccountKey KEY2 = new AccountKey("a2V5IHR3byBvZiB0aGUgYWNjb3VudA==");
  private static final String SE = "2034-01-01T00:00:00Z";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String input = "";

  @TempDir private Path folder;

  @AfterEach
  void noKeyIsEverPrinted() {
    for (AccountKey key : List.of(KEY, KEY2, OTHER)) {
      assertThat(out + "" + err).doesNotContain(key.base64());
    }
  }

  @Test
  void aCorrectSignatureIsShownFieldByField() {
    int exit =
        explain(
            "-X",
            "POST",
            BASE + "/Tables",
            "-H",
            "Content-Type: application/json",
            "-H",
            "x-ms-date: " + DATE,
            "-H",
            "Authorization: SharedKey "
                + ACCOUNT
                + ":zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=");
    assertThat(out.toString().lines())
        .containsExactly(
            "account   devstoreaccount1, table service",
            "scheme    SharedKey",
            "to sign   each field; \\n marks a line feed that is signed",
            "  VERB                   POST\\n",
            "  Content-MD5            \\n",
            "  Content-Type           application/json\\n",
            "  Date                   " + DATE + "\\n",
            "  CanonicalizedResource  /devstoreaccount1/devstoreaccount1/Tables",
            "key 1     zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=  as sent",
            "sent      zYMweQl3FF0xxGdhPZVUisK+stBgUWrWovsVIjxZHNM=",
            "result    the signature is correct; the server accepts the request");
    assertThat(exit).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "SharedKey;GET\\n\\n\\nDATE\\n/A/Tables;contained the account once",
        "SharedKey;DATE\\n/A/A/Tables;the scheme were SharedKeyLite",
        "SharedKeyLite;GET\\n\\n\\nDATE\\n/A/A/Tables;the scheme were SharedKey",
        "SharedKey;PUT\\n\\n\\nDATE\\n/A/A/Tables;the method were PUT",
        "SharedKey;get\\n\\n\\nDATE\\n/A/A/Tables;the method were signed in lower case",
        "SharedKey;GET\\n\\napplication/json\\nDATE\\n/A/A/Tables;the Content-Type were application/json",
        "SharedKey;GET\\n\\n\\n\\n/A/A/Tables;the date in the string to sign were empty",
        "SharedKey;GET\\n\\n\\nDATE\\n/A/A/Tables\\n;the string to sign ended with a line feed",
        "SharedKey;GET\\n\\n\\nDATE\\n/A/A/tables;the path were in lower case",
        "SharedKeyLite;DATE\\n/A/Tables?$top=5;the canonicalized resource contained the account once",
        "SharedKeyLite;DATE\\n/A/A/Tables?$top=5;contained the whole query",
      })
  void aUsualMistakeIsFound(String scheme, String signed, String says) {
    String text = signed.replace("\\n", "\n").replace("DATE", DATE).replace("/A", "/" + ACCOUNT);
    assertThat(explainHeader("/Tables?$top=5", scheme, sign(KEY, text))).isEqualTo(1);
    assertThat(out.toString())
        .contains("the signature does not match; the server refuses it: 403 AuthenticationFailed")
        .contains("this signature would be correct if")
        .contains(says);
  }

  @Test
  void twoMistakesAtOnceAreFound() {
    explainHeader(
        "/Tables",
        "SharedKey",
        sign(KEY, "POST\n\n\n" + DATE + "\n/A/Tables".replace("A", ACCOUNT)));
    assertThat(out.toString())
        .contains("contained the account once")
        .contains(", and the method were POST");
  }

  @Test
  void escapesInThePathAreCompared() {
    String path = "/t(PartitionKey='a%2Cb',RowKey='c')";
    String signed = path.replace("'", "%27");
    explainHeader(
        path, "SharedKeyLite", sign(KEY, DATE + "\n/" + ACCOUNT + "/" + ACCOUNT + signed));
    assertThat(out.toString()).contains("quotes in the path were escaped as %27");
  }

  @Test
  void aKeyThatWasNotDecodedIsFound() {
    byte[] undecoded = KEY.base64().getBytes(StandardCharsets.UTF_8);
    AccountKey wrong = new AccountKey(Base64.getEncoder().encodeToString(undecoded));
    explainHeader("/Tables", "SharedKeyLite", sign(wrong, lite("/Tables")));
    assertThat(out.toString()).contains("must be decoded from base64 first");
  }

  @Test
  void theKeyOfAnotherAccountIsFound() {
    AccountFile.inside(folder).edit(set -> set.add("contoso", OTHER, OTHER));
    explainHeader("/Tables", "SharedKeyLite", sign(OTHER, lite("/Tables")));
    assertThat(out.toString()).contains("the key belonged to the account contoso");
  }

  @Test
  void signaturesInOtherSpellingsAreFound() {
    byte[] signature = KEY.sign(lite("/Tables").getBytes(StandardCharsets.UTF_8));
    explainHeader("/Tables", "SharedKeyLite", HexFormat.of().formatHex(signature));
    assertThat(out.toString()).contains("not in hexadecimal");
    String base64 = Base64.getEncoder().encodeToString(signature);
    explainHeader("/Tables", "SharedKeyLite", URLEncoder.encode(base64, StandardCharsets.UTF_8));
    assertThat(out.toString()).contains("it were escaped one time fewer");
  }

  @Test
  void aSignatureThatNothingExplainsIsReported() {
    assertThat(explainHeader("/Tables", "SharedKey", sign(OTHER, "x"))).isEqualTo(1);
    assertThat(out.toString()).contains("no common mistake explains this signature");
    assertThat(explainHeader("/Tables", "SharedKey", "abc=")).isEqualTo(1);
    assertThat(out.toString()).contains("a signature has 44 characters, this one has 4");
  }

  @Test
  void datesAreChecked() {
    String signature = sign(KEY, lite("/Tables"));
    String[] request = header("/Tables", "SharedKeyLite", signature);
    assertThat(execute(with(request, "--at", "2024-01-15T11:00:00Z"))).isZero();
    assertThat(out.toString())
        .contains("the signature is correct; the server refuses it: 403 AuthenticationFailed")
        .contains("behind this machine's clock by 30 minutes; the server accepts 15");
    assertThat(explain(BASE + "/Tables", "-H", "Authorization: SharedKeyLite a:b")).isEqualTo(1);
    assertThat(out.toString())
        .contains("there is no date")
        .contains(
            "the header names the account a, but the request is addressed to devstoreaccount1");
    explain(BASE + "/Tables", "-H", "x-ms-date: 2024-01-15", "-H", "Authorization: Basic a");
    assertThat(out.toString())
        .contains("the date does not have the form")
        .contains("the scheme is neither")
        .contains("there is no colon")
        .contains("400 InvalidAuthenticationInfo");
    assertThat(explain(BASE + "/Tables")).isEqualTo(1);
    assertThat(out.toString()).contains("there are no credentials");
  }

  @Test
  void aMatchingSignatureIsReportedNextToAnotherMistake() {
    String date = "2024-01-15T10:30:00Z";
    String text = date + "\n/" + ACCOUNT + "/" + ACCOUNT + "/Tables";
    String credentials = "Authorization: SharedKeyLite " + ACCOUNT + ":" + sign(KEY, text);
    assertThat(explain(BASE + "/Tables", "-H", "x-ms-date: " + date, "-H", credentials))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains("the date does not have the form")
        .contains("the signature matches this text, so something else is wrong");
  }

  @Test
  void anAddressWithoutTheAccountIsReported() {
    String signature = sign(KEY, DATE + "\n/" + ACCOUNT + "/Tables");
    int exit =
        explain(
            "http://127.0.0.1:10002/Tables",
            "--account",
            ACCOUNT,
            "-H",
            "x-ms-date: " + DATE,
            "-H",
            "Authorization: SharedKeyLite " + ACCOUNT + ":" + signature);
    assertThat(out.toString()).contains("the URL does not name the account devstoreaccount1");
    assertThat(exit).isEqualTo(1);
  }

  @Test
  void theHostMayNameTheAccount() {
    assertThat(
            explain(
                "https://devstoreaccount1.table.local/mytable?comp=acl&timeout=30",
                "-H",
                "Date: " + DATE,
                "-H",
                "Authorization: SharedKey "
                    + ACCOUNT
                    + ":LWD6yrkO9lAvNjn//k2dGqukFZ7USjc3KS4uxKc2Wks="))
        .isZero();
    assertThat(out.toString()).contains("  /devstoreaccount1/mytable?comp=acl");
  }

  @Test
  void requestsToBlobsAreExplainedByTheirOwnRules() {
    String blobs = "http://127.0.0.1:10000/devstoreaccount1/";
    String token =
        "mycontainer/dir/file.txt?sp=r&st=2024-01-01T00:00:00Z&se=2034-01-01T00:00:00Z"
            + "&spr=https,http&sv=2024-11-04&sr=b&sig="
            + "TRcrZVNaDucXWdIksy9Kh1UV%2BDc8TB1JoRxLA8cZOWs%3D";
    assertThat(explain(blobs + token)).isZero();
    assertThat(out.toString())
        .contains("devstoreaccount1, blob service", "scheme    blob SAS")
        .contains("/blob/devstoreaccount1/mycontainer/dir/file.txt\\n")
        .contains("the signature is correct");
    explain(blobs + token.replace("&sr=b", ""));
    assertThat(out.toString()).contains("sr is missing: b for a blob");
  }

  @Test
  void aServiceThatTheUrlDoesNotNameIsCalledAGuess() {
    String request = "http://127.0.0.1:7/devstoreaccount1/q";
    explain(request);
    assertThat(out.toString()).contains("table service").contains("this is a guess");
    out.getBuffer().setLength(0);
    explain(request, "--service", "queue");
    assertThat(out.toString()).contains("queue service").doesNotContain("a guess");
  }

  @Test
  void requestsToQueuesAreExplainedByTheirOwnRules() {
    String queues = "http://127.0.0.1:10001/devstoreaccount1/";
    int exit =
        explain(
            queues + "?comp=list&maxresults=5&prefix=my%20queue",
            "-H",
            "x-ms-date: " + DATE,
            "-H",
            "x-ms-version: 2024-11-04",
            "-H",
            "Authorization: SharedKey devstoreaccount1:E+XNB2XcBG6S8bziHLEjycJUsNhQVEGhkKpXdNSV5lg=");
    assertThat(out.toString())
        .contains("devstoreaccount1, queue service")
        .contains("  Range                  \\n")
        .contains("  CanonicalizedHeaders   x-ms-version:2024-11-04\\n")
        .contains("  CanonicalizedResource  /devstoreaccount1/devstoreaccount1/\\n")
        .contains("  CanonicalizedResource  prefix:my queue" + System.lineSeparator());
    assertThat(exit).isZero();
    String token =
        "myqueue/messages?sp=raup&st=2024-01-01T00:00:00Z&se="
            + SE
            + "&spr=https,http&sv=2024-11-04&sig=5A%2BcNmYUmLH9jxcx099uWkzyCSpcbTm7fiqBiPY7AXI%3D";
    assertThat(explain(queues + token)).isZero();
    assertThat(out.toString()).contains("scheme    queue SAS");
  }

  @Test
  void theOutputOfToolsIsRead() throws Exception {
    String signature = sign(KEY, lite("/Tables"));
    Path curl = folder.resolve("curl.txt");
    Files.writeString(
        curl,
        "*   Trying 127.0.0.1:10002...\n> GET /devstoreaccount1/Tables?$top=1 HTTP/1.1\n"
            + "> Host: 127.0.0.1:10002\n> User-Agent: curl/7.88.1\n> x-ms-date: "
            + DATE
            + "\n> Authorization: SharedKeyLite devstoreaccount1:"
            + signature
            + "\n>\n< HTTP/1.1 403 Forbidden\n< Date: x\n");
    assertThat(explain("--request", curl.toString())).isZero();
    input =
        "INFO: Request URL: 'x'\nRequest URL: '"
            + BASE
            + "/Tables'\nRequest method: 'GET'\nRequest headers:\n    'x-ms-date': '"
            + DATE
            + "'\n    'Authorization': 'SharedKeyLite devstoreaccount1:"
            + signature
            + "'\n";
    assertThat(explain("--request", "-")).isZero();
    input = "GET " + BASE + "/Tables\nDate: " + DATE + "\nAuthorization: REDACTED\n";
    assertThat(explain("--request", "-")).isEqualTo(1);
    assertThat(out.toString()).contains("the log hides the Authorization header");
  }

  @Test
  void theKeyComesFromTheFileOrFromTheCaller() {
    AccountFile.inside(folder).edit(set -> set.add("contoso", KEY2, OTHER).disable("contoso"));
    String[] request = {
      "http://127.0.0.1:10002/contoso/Tables",
      "-H",
      "x-ms-date: " + DATE,
      "-H",
      "Authorization: SharedKeyLite contoso:" + sign(OTHER, DATE + "\n/contoso/contoso/Tables")
    };
    assertThat(explain(request)).isZero();
    assertThat(out.toString())
        .containsPattern("key 2 .* as sent")
        .contains("the signature is correct; the server refuses it: 403 AccountIsDisabled");
    String[] elsewhere = Arrays.copyOf(request, request.length);
    elsewhere[0] = elsewhere[0].replace("contoso", "fabrikam");
    assertThat(explain(elsewhere)).isEqualTo(2);
    assertThat(err.toString()).contains("there is no key for the account 'fabrikam'");
    input = OTHER.base64() + "\n";
    assertThat(explain(with(request, "--account", "contoso", "--key", "-"))).isZero();
    assertThat(explain(with(request, "--account", "contoso", "--key", "env:KEY"))).isZero();
  }

  @Test
  void aCorrectTokenIsReportedAsCorrect() {
    String token =
        "?sv=2019-02-02&tn=MyTable&sp=r&se=2034-01-01T00%3A00%3A00Z"
            + "&sig=mVMmUp3jvSWN5d6f263rgWbfymVRc2RTHfLrET1bw74%3D";
    assertThat(explain(BASE + "/MyTable()" + token)).isZero();
    assertThat(out.toString())
        .contains("scheme    table SAS")
        .contains("  canonicalizedResource  /table/devstoreaccount1/mytable\\n")
        .contains("  erk                    \n")
        .contains("the server accepts it, and then checks whether it permits the operation");
    String account =
        "?ss=t&srt=sco&sp=rwdlau&spr=https,http&sv=2019-02-02&st=2024-01-01T00:00:00Z&se="
            + SE
            + "&sig=zYBHBRI1j3DbNrt6VKnUX1Wx8WDD0h71g72uOvyhf7g=";
    assertThat(explain(BASE + "/Tables" + account)).isZero();
    assertThat(out.toString())
        .contains("scheme    account SAS")
        .contains("  sv       2019-02-02\\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "r\\n\\nSE\\n/table/A/MyTable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;it must be signed in lower case",
        "r\\n\\nSE\\n/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;did not begin with the service",
        "r\\n\\nSE\\n/table/A/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;contained the account twice",
        "r\\n\\nSE\\n/table/A/mytable\\n\\n\\n\\n2020-12-06\\n\\n\\n\\n;sv were 2020-12-06",
        "r\\n\\nSE\\n/table/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n;the line of",
        "r\\nSE\\n\\n/table/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;st and the next field were swapped",
        "r\\n\\n2034-01-01T00%3A00%3A00Z\\n/table/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;se were signed in escaped form",
        "r\\n\\nSE\\n/table/A/mytable\\n\\n\\nhttps\\n2019-02-02\\n\\n\\n\\n;spr were https",
        "\\n\\nSE\\n/table/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n;sp were signed as an empty field",
        "r\\n\\nSE\\n/table/A/mytable\\n\\n\\n\\n2019-02-02\\n\\n\\n\\n\\n;a line feed after the last field",
      })
  void aUsualMistakeInATokenIsFound(String signed, String says) {
    String text = signed.replace("\\n", "\n").replace("SE", SE).replace("/A", "/" + ACCOUNT);
    String token = "?sv=2019-02-02&tn=MyTable&sp=r&se=" + SE + "&sig=" + escaped(sign(KEY, text));
    assertThat(explain(BASE + "/MyTable()" + token)).isEqualTo(1);
    assertThat(out.toString()).contains("this signature would be correct if").contains(says);
  }

  @Test
  void faultsInTheFieldsOfATokenAreReported() {
    String bad =
        "?sv=2019-2&tn=Other&sp=r&st=2033-01-01&se=2023-01-01&spr=https&sip=10.0.0.1&srk=1&Sig=x"
            + "&sig=ab%252B";
    assertThat(explain(BASE + "/MyTable()" + bad)).isEqualTo(1);
    assertThat(out.toString())
        .contains("sv is not a date")
        .contains("it is for the table other, but the request is for MyTable")
        .contains("st is in the future")
        .contains("se is in the past")
        .contains("spr allows https only")
        .contains("sip does not allow the address 127.0.0.1")
        .contains("srk needs spk")
        .contains("the parameter Sig must be written sig")
        .contains("sig was escaped twice");
    explain(BASE + "/MyTable()?sv=2019-02-02&sp=r&se=x&sip=nowhere&sig=a+b");
    assertThat(out.toString())
        .contains("tn is missing")
        .contains("se is not a time")
        .contains("sip is neither an IPv4 address")
        .contains("sig contains an unescaped plus sign");
    explain(BASE + "/Tables?sv=2019-02-02&ss=q&sig=a");
    assertThat(out.toString())
        .contains("ss does not name the table service")
        .contains("srt, the types of resources, is missing")
        .contains("sp, the permissions, is missing")
        .contains("se, the expiry, is missing");
    explain(BASE + "/Tables?sv=2019-02-02&ss=t&sp=r&sp=r&sig=a");
    assertThat(out.toString()).contains("a parameter of the signature appears twice");
  }

  @Test
  void aTokenThatWasEscapedTwiceIsUnderstood() {
    String text = "r\n\n" + SE + "\n/table/" + ACCOUNT + "/mytable\n\n\n\n2019-02-02\n\n\n\n";
    String token = "?sv=2019-02-02&tn=MyTable&sp=r&se=" + SE + "&sig=";
    explain(BASE + "/MyTable()" + token + escaped(escaped(sign(KEY, text))));
    assertThat(out.toString())
        .contains("this signature would be correct if it were escaped one time fewer");
  }

  @Test
  void aPolicyIsNotChecked() {
    String text = "\n\n\n/table/" + ACCOUNT + "/mytable\npolicy1\n\n\n2019-02-02\n\n\n\n";
    String token = "?sv=2019-02-02&tn=MyTable&si=policy1&sig=" + escaped(sign(KEY, text));
    assertThat(explain(BASE + "/MyTable()" + token)).isZero();
    assertThat(out.toString()).contains("the stored access policy policy1 was not checked");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://127.0.0.1:10002/devstoreaccount1/t -H nonsense",
        "http://127.0.0.1:10002/devstoreaccount1/t?a=%zz",
        "http://127.0.0.1:10002/devstoreaccount1/t --service file",
        "--request no-such-file",
      })
  void wrongUseEndsWithTwo(String line) {
    assertThat(explain(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).isNotEmpty().doesNotContain("Exception");
  }

  private int explainHeader(String target, String scheme, String signature) {
    return explain(header(target, scheme, signature));
  }

  private static String[] header(String target, String scheme, String signature) {
    return new String[] {
      BASE + target,
      "-H",
      "x-ms-date: " + DATE,
      "-H",
      "Authorization: " + scheme + " " + ACCOUNT + ":" + signature
    };
  }

  private static String lite(String path) {
    return DATE + "\n/" + ACCOUNT + "/" + ACCOUNT + path;
  }

  private static String sign(AccountKey key, String text) {
    return Base64.getEncoder().encodeToString(key.sign(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String[] with(String[] args, String... more) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private int explain(String... args) {
    return execute(with(args, "--at", NOW));
  }

  private int execute(String... args) {
    byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
    Secrets secrets = new Secrets(new ByteArrayInputStream(bytes), Map.of("KEY", OTHER.base64()));
    CommandLine commandLine = Main.commandLine(secrets, Map.of());
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("explain-signature"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data", folder.toString()));
    return commandLine.execute(all.toArray(String[]::new));
  }
}
