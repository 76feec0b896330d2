package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.protocol.BearerToken;
import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Aim;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Point GETs with a shared key, with a shared key and a head as long as with the token, with a
 * token that the server has verified before, and with a token of somebody in many groups. The
 * server is started several times, because two processes of one server differ by more than the
 * target.
 */
final class TokenScenario implements Scenario {
  private static final int CONNECTIONS = 32;
  private static final int STARTS = 3;
  private static final int GROUPS = 100;

  @Override
  public String name() {
    return "token";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    List<Series> all = oneStart(stage);
    for (int start = 1; start < STARTS; start++) {
      List<Series> sum = all;
      List<Series> more = oneStart(stage);
      all =
          IntStream.range(0, sum.size())
              .mapToObj(i -> sum.get(i).and(more.get(i)))
              .collect(Collectors.toList());
    }
    Series key = all.get(0);
    Section section =
        Section.ofSeries(
            "Point GET and tokens, " + CONNECTIONS + " connections", "rate / key", "CPU / key");
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(key, Sample::requestsPerSecond)),
          Figures.ratio(series.ratioTo(key, Sample::cpuMicros)));
    }
    return section
        .remark("A token of " + GROUPS + " groups is a head of 6 KiB, which the server also reads.")
        .aim(Aim.TOKEN_CPU, all.get(2).ratioTo(key, Sample::cpuMicros));
  }

  private static List<Series> oneStart(Stage stage) throws IOException {
    Path folder = stage.newFolder();
    BearerToken issuer = new BearerToken();
    Path keys =
        Files.writeString(folder.resolveSibling(folder.getFileName() + "-keys"), issuer.keys());
    Path roles = folder.resolveSibling(folder.getFileName() + "-roles");
    Files.writeString(
        roles,
        "lazuli roles 1\nassign storage-table-data-reader devstoreaccount1 * sub "
            + BearerToken.SUBJECT
            + "\n");
    Files.setPosixFilePermissions(roles, PosixFilePermissions.fromString("rw-------"));
    try (ServerProcess server =
        stage
            .servers()
            .startLazuli(
                folder,
                "--oidc-jwks",
                BearerToken.ISSUER + "=" + keys,
                "--tokens-over-http",
                "--roles",
                roles.toString())) {
      String table = stage.table(server, Scale.SMALL_ENTITIES);
      List<Entrant> entrants = new ArrayList<>();
      entrants.add(
          new Entrant("key", gets(stage, server, GetScenario.scripts(server, table, CONNECTIONS))));
      String token = issuer.token(0);
      entrants.add(
          new Entrant(
              "key, head as long",
              gets(stage, server, scripts(TableRequests.padded(server.endpoint(), token), table))));
      entrants.add(new Entrant("token", gets(stage, server, scripts(server, table, token))));
      entrants.add(
          new Entrant(
              "token, " + GROUPS + " groups",
              gets(stage, server, scripts(server, table, issuer.token(GROUPS)))));
      return stage.inShortTurns(entrants);
    }
  }

  private static List<Cycle> scripts(ServerProcess server, String table, String token) {
    return scripts(TableRequests.withToken(server.endpoint(), token), table);
  }

  private static List<Cycle> scripts(TableRequests requests, String table) {
    Keys keys = new Keys(Scale.SMALL_ENTITIES);
    return Cycle.of(
        CONNECTIONS,
        Keys.REQUESTS,
        () -> keys.pick((partition, row) -> requests.get(table, partition, row)));
  }

  private static Entrant.Measure gets(Stage stage, ServerProcess server, List<Cycle> scripts)
      throws IOException {
    stage.warmUp(server, scripts);
    return nanos -> stage.load(server, scripts, nanos, 1);
  }
}
