package io.lazuli.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The environment variables of settings. An empty variable counts as absent. */
final class Variables {
  static final String CONFIG = Settings.VARIABLE_PREFIX + "CONFIG";

  /**
   * Variables that are not settings: they belong to the start script, to clusters, or to {@code
   * lazuli conformance} and its JavaScript suite.
   */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "LAZULI_JAVA_OPTS",
          "LAZULI_CLUSTER_JAVA",
          "LAZULI_CONFORMANCE_KEY",
          "LAZULI_BLOB_ENDPOINT",
          "LAZULI_QUEUE_ENDPOINT",
          "LAZULI_TABLE_ENDPOINT",
          "LAZULI_ACCOUNT",
          "LAZULI_KEY");

  /**
   * Variables that Kubernetes sets in every container for its services. For a service named
   * lazuli-table these are LAZULI_TABLE_SERVICE_HOST, LAZULI_TABLE_PORT=tcp://10.0.0.1:10002 and so
   * on.
   */
  private static final Pattern OF_KUBERNETES =
      Pattern.compile(
          "LAZULI_(.*_)?(SERVICE_(HOST|PORT)(_.*)?|PORT_\\d+_(TCP|UDP|SCTP)(_.*)?)=.*"
              + "|LAZULI_(.*_)?PORT=(tcp|udp|sctp)://.*");

  private Variables() {}

  /**
   * Returns the settings of the environment, by key.
   *
   * @throws ConfigException if there is an unknown variable
   */
  static Map<String, Given> read(Map<String, String> environment) {
    Map<String, Setting> known =
        Settings.ALL.stream().collect(Collectors.toMap(Setting::variable, setting -> setting));
    Map<String, Given> given = new LinkedHashMap<>();
    // The variables are sorted, so that if there are two mistakes, the same one is always reported.
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (value.isEmpty() || !isOurs(name, value)) {
                return;
              }
              Setting setting = known.get(name);
              if (setting == null) {
                throw unknown(name, known.keySet());
              }
              given.put(setting.key(), new Given(value, name));
            });
    return given;
  }

  private static ConfigException unknown(String name, Set<String> known) {
    Set<String> all = Stream.concat(known.stream(), Stream.of(CONFIG)).collect(Collectors.toSet());
    return new ConfigException("unknown variable " + name + Nearest.hint(name, all));
  }

  private static boolean isOurs(String name, String value) {
    return name.startsWith(Settings.VARIABLE_PREFIX)
        && !name.equals(CONFIG)
        && !OF_OTHERS.contains(name)
        && !OF_KUBERNETES.matcher(name + "=" + value).matches();
  }
}
