package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.account.AccountKey;
import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.identity.TestTokens;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** User delegation keys and the signatures that are made with them. */
class DelegationWireTest {
  private static final String KEY_TARGET = "/?restype=service&comp=userdelegationkey";
  private static final String BLOB = "x-ms-blob-type: BlockBlob";

  @TempDir private Path folder;

  @Test
  void aSignatureOpensWhatItSaysAndNoMoreThanTheRole() throws IOException {
    try (TokenServer server = start()) {
      Map<String, String> key = key(server, "reader", "blob");
      assertThat(status(server, "GET", "/photos/a", key, "b", "r")).isEqualTo(200);
      assertThat(status(server, "GET", "/photos/a", key, "c", "rl")).isEqualTo(200);
      assertThat(status(server, "PUT", "/photos/a", key, "b", "r", BLOB)).isEqualTo(403);
      // The signature allows the write, the role of its maker does not.
      assertThat(status(server, "PUT", "/photos/a", key, "b", "rw", BLOB)).isEqualTo(403);
      Map<String, String> owner = key(server, "owner", "blob");
      assertThat(status(server, "PUT", "/photos/new", owner, "b", "rw", BLOB)).isEqualTo(201);
    }
  }

  @Test
  void changedFieldsAreRefused() throws IOException {
    try (TokenServer server = start()) {
      Map<String, String> key = key(server, "reader", "blob");
      List<Consumer<Map<String, String>>> changes = new ArrayList<>();
      changes.add(fields -> fields.put("sp", "rw"));
      changes.add(fields -> fields.put("ske", "2099-01-01T00:00:00Z"));
      changes.add(fields -> fields.put("skoid", "11111111-1111-1111-1111-111111111111"));
      changes.add(fields -> fields.put("skoid", "nobody"));
      changes.add(fields -> fields.put("sks", "q"));
      changes.add(fields -> fields.put("skv", "x"));
      changes.add(fields -> fields.put("si", "policy"));
      changes.add(fields -> fields.remove("sktid"));
      changes.add(fields -> fields.put("sduoid", "11111111-1111-1111-1111-111111111111"));
      for (Consumer<Map<String, String>> change : changes) {
        Map<String, String> fields = signed(key, "blob", "/photos/a", "b", "r");
        change.accept(fields);
        TokenServer.Answer answer = server.ask(null, "blob", "GET", "/photos/a?" + query(fields));
        assertThat(answer.status()).as(fields.toString()).isEqualTo(403);
        assertThat(answer.code()).as(fields.toString()).isEqualTo("AuthenticationFailed");
      }
    }
  }

  @Test
  void aRemovedRoleAndARevocationEndSignatures() throws Exception {
    try (TokenServer server = start("rocksdb")) {
      Map<String, String> reader = key(server, "reader", "blob");
      Map<String, String> owner = key(server, "owner", "blob");
      assertThat(status(server, "GET", "/photos/a", reader, "b", "r")).isEqualTo(200);
      new RoleFile(folder.resolve("roles"))
          .edit(
              set ->
                  new RoleSet(
                      set.assignments().stream()
                          .filter(one -> !one.principal().value().equals("reader"))
                          .toList()));
      await().until(() -> status(server, "GET", "/photos/a", reader, "b", "r") == 403);
      assertThat(status(server, "GET", "/photos/a", owner, "b", "r")).isEqualTo(200);
      AdminClient.of(folder.resolve("data"))
          .call("revoke-delegation", Map.of("account", "devstoreaccount1"));
      assertThat(status(server, "GET", "/photos/a", owner, "b", "r")).isEqualTo(403);
      Map<String, String> fresh = key(server, "owner", "blob");
      assertThat(status(server, "GET", "/photos/a", fresh, "b", "r")).isEqualTo(200);
    }
  }

  @Test
  void signaturesSurviveARestartAndNeedNoAccountKey() throws IOException {
    Map<String, String> key;
    try (TokenServer server = start("rocksdb")) {
      key = key(server, "reader", "blob");
    }
    try (TokenServer server = TokenServer.start(folder, config("rocksdb").noSharedKey(true))) {
      assertThat(status(server, "GET", "/photos/a", key, "b", "r")).isEqualTo(200);
    }
  }

  @Test
  void queuesHaveTheirOwnKeys() throws IOException {
    try (TokenServer server = start()) {
      Map<String, String> key = key(server, "owner", "queue");
      assertThat(key.get("sks")).isEqualTo("q");
      Map<String, String> fields = signed(key, "queue", "/tasks", "q", "r");
      String target = "/tasks/messages?peekonly=true&" + query(fields);
      assertThat(server.ask(null, "queue", "GET", target).status()).isEqualTo(200);
      String taken = "/tasks/messages?" + query(fields);
      assertThat(server.ask(null, "queue", "GET", taken).status()).isEqualTo(403);
    }
  }

  @Test
  void aSignatureForOneUserNeedsATokenOfThisUser() throws IOException {
    String alice = "55555555-5555-5555-5555-555555555555";
    try (TokenServer server = start()) {
      Map<String, String> key = key(server, "reader", "blob");
      key.put("sduoid", alice);
      String target = "/photos/a?" + query(signed(key, "blob", "/photos/a", "b", "r"));
      assertThat(server.ask(null, "blob", "GET", target).status()).isEqualTo(403);
      assertThat(server.ask(server.token("owner"), "blob", "GET", target).status()).isEqualTo(403);
      String token =
          TestTokens.signed(
              TestTokens.claims(Instant.now()).subject("alice").claim("oid", alice).build());
      assertThat(server.ask(token, "blob", "GET", target).status()).isEqualTo(200);
      assertThat(server.ask(token, "blob", "GET", "/photos/a").status()).isEqualTo(403);
    }
  }

  @Test
  void onlyATokenGetsAKey() throws IOException {
    try (TokenServer server = start()) {
      String token = server.token("owner");
      for (String expiry : List.of("2099-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "soon")) {
        String body = "\n<KeyInfo><Expiry>" + expiry + "</Expiry></KeyInfo>";
        assertThat(server.ask(token, "blob", "POST", KEY_TARGET, body).status()).isEqualTo(400);
      }
      String body = "\n<KeyInfo><Expiry>" + TokenServer.inAnHour() + "</Expiry></KeyInfo>";
      assertThat(server.ask(null, "blob", "POST", KEY_TARGET, body).status()).isEqualTo(401);
    }
  }

  private TokenServer start() throws IOException {
    return start("memory");
  }

  private TokenServer start(String engine) throws IOException {
    TokenServer server = TokenServer.start(folder, config(engine));
    server.assign("reader", Role.BLOB_DATA_READER, "devstoreaccount1");
    server.assign("owner", Role.BLOB_DATA_OWNER, "devstoreaccount1");
    server.assign("owner", Role.QUEUE_DATA_CONTRIBUTOR, "devstoreaccount1");
    server.awaitRoles();
    String owner = server.token("owner");
    server.ask(owner, "blob", "PUT", "/photos?restype=container");
    server.ask(owner, "blob", "PUT", "/photos/a", BLOB);
    server.ask(owner, "queue", "PUT", "/tasks");
    return server;
  }

  private static ServerConfig.Builder config(String engine) {
    return ServerConfig.builder().engine(engine);
  }

  /** Asks for a key; returns the fields that a signature repeats, and the key itself. */
  private static Map<String, String> key(TokenServer server, String subject, String service) {
    String body = "\n<KeyInfo><Expiry>" + TokenServer.inAnHour() + "</Expiry></KeyInfo>";
    TokenServer.Answer answer =
        server.ask(server.token(subject), service, "POST", KEY_TARGET, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Map<String, String> key = new LinkedHashMap<>();
    key.put("skoid", text(answer.body(), "SignedOid"));
    key.put("sktid", text(answer.body(), "SignedTid"));
    key.put("skt", text(answer.body(), "SignedStart"));
    key.put("ske", text(answer.body(), "SignedExpiry"));
    key.put("sks", text(answer.body(), "SignedService"));
    key.put("skv", text(answer.body(), "SignedVersion"));
    key.put("Value", text(answer.body(), "Value"));
    return key;
  }

  private static String text(String xml, String name) {
    Matcher found = Pattern.compile("<" + name + ">([^<]*)</").matcher(xml);
    assertThat(found.find()).as(xml).isTrue();
    return found.group(1);
  }

  private static int status(
      TokenServer server,
      String method,
      String path,
      Map<String, String> key,
      String kind,
      String permissions,
      String... headers) {
    String named = kind.equals("c") ? path.substring(0, path.lastIndexOf('/')) : path;
    Map<String, String> fields = signed(key, "blob", named, kind, permissions);
    return server.ask(null, "blob", method, path + "?" + query(fields), headers).status();
  }

  /** Returns the parameters of a signature in the version 2025-11-05. */
  private static Map<String, String> signed(
      Map<String, String> key, String service, String path, String kind, String permissions) {
    Map<String, String> fields = new LinkedHashMap<>(key);
    fields.put("sv", "2025-11-05");
    fields.put("sr", kind);
    fields.put("sp", permissions);
    fields.put("se", TokenServer.inAnHour());
    List<String> text = new ArrayList<>();
    text.addAll(List.of(permissions, "", fields.get("se")));
    text.add("/" + service + "/devstoreaccount1" + path);
    for (String field : List.of("skoid", "sktid", "skt", "ske", "sks", "skv")) {
      text.add(fields.get(field));
    }
    if (service.equals("blob")) {
      text.addAll(List.of("", "", ""));
    }
    text.addAll(List.of("", fields.getOrDefault("sduoid", ""), "", "", fields.get("sv")));
    if (service.equals("blob")) {
      text.addAll(List.of(kind, "", "", "", "", "", "", ""));
    }
    byte[] message = String.join("\n", text).getBytes(StandardCharsets.UTF_8);
    String value = fields.remove("Value");
    fields.put("sig", Base64.getEncoder().encodeToString(new AccountKey(value).sign(message)));
    return fields;
  }

  private static String query(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(
            field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }
}
