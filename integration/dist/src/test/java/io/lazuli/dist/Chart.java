package io.lazuli.dist;

import com.marcnuri.helm.Helm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** The objects that Helm makes from the chart. */
record Chart(String text, List<Map<String, Object>> objects) {
  static final Path SOURCE = Dist.SOURCE.resolve("deploy/helm/lazuli");

  /** Helm asks for the version of the cluster, and there is none. */
  static final String KUBERNETES = "v1.31.0";

  /** Values that a chart with rocksdb needs. */
  static final String MINIMAL = "accounts: {existingSecret: lazuli-accounts}\n";

  /** Renders a chart, a folder or a package, for the release lazuli in the namespace apps. */
  static Chart render(Path chart, Path values) {
    String text =
        new Helm(chart)
            .template()
            .withName("lazuli")
            .withNamespace("apps")
            .withKubeVersion(KUBERNETES)
            .withValuesFile(values)
            .call();
    List<Map<String, Object>> objects = new ArrayList<>();
    new Yaml()
        .loadAll(text)
        .forEach(
            object -> {
              if (object != null) {
                objects.add(Image.map(object));
              }
            });
    return new Chart(text, objects);
  }

  /** Renders the chart of the sources with values, which are written to a folder. */
  static Chart render(String values, Path folder) throws Exception {
    return render(SOURCE, Files.writeString(folder.resolve("values.yaml"), values));
  }

  static List<Path> examples() throws Exception {
    try (Stream<Path> files = Files.list(SOURCE.resolve("examples"))) {
      return files.sorted().toList();
    }
  }

  List<String> kinds() {
    return objects.stream().map(object -> object.get("kind").toString()).toList();
  }

  Stream<Map<String, Object>> all(String kind) {
    return objects.stream().filter(object -> object.get("kind").equals(kind));
  }

  /** Returns the object of a kind with a name. */
  Map<String, Object> one(String kind, String name) {
    return all(kind)
        .filter(object -> name.equals(at(object, "metadata", "name")))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the pod of the StatefulSet or the Deployment. */
  Map<String, Object> pod() {
    return Stream.concat(all("StatefulSet"), all("Deployment"))
        .map(object -> Image.map(at(object, "spec", "template", "spec")))
        .findFirst()
        .orElseThrow();
  }

  Map<String, Object> container() {
    return Image.map(at(pod(), "containers", 0));
  }

  /** Returns the variable of the container; null if there is none. */
  Map<String, Object> variable(String name) {
    return ((List<?>) container().get("env"))
        .stream()
            .map(Image::map)
            .filter(variable -> name.equals(variable.get("name")))
            .findFirst()
            .orElse(null);
  }

  /** Returns what is at a path of keys and indexes; null if there is nothing. */
  static Object at(Object object, Object... path) {
    Object found = object;
    for (Object step : path) {
      if (found == null) {
        return null;
      }
      found =
          step instanceof Integer index
              ? ((List<?>) found).get(index)
              : ((Map<?, ?>) found).get(step);
    }
    return found;
  }
}
