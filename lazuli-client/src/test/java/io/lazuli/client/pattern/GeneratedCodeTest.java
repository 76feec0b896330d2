package io.lazuli.client.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceAsyncClient;
import io.lazuli.client.TestAccount;
import io.lazuli.server.design.GuideExamples;
import io.lazuli.server.design.Model;
import io.lazuli.server.design.Proposal;
import io.lazuli.server.design.Proposals;
import io.lazuli.server.design.TableDesign;
import io.lazuli.server.design.code.JavaCode;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java code that the console proposes for models (docs/model.md) compiles with this library,
 * and does what its model says.
 */
class GeneratedCodeTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final int RANDOM_MODELS = Integer.getInteger("models.count", 40);

  @TempDir Path classes;

  /** A file of Java, in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String folder, String className, String code) {
      super(
          URI.create("string:///" + folder + "/" + className + ".java"),
          JavaFileObject.Kind.SOURCE);
      this.text = "package " + folder + ";\n" + code;
    }

    static Source of(String folder, String model, Proposal proposal) {
      return new Source(folder, JavaCode.className(model, proposal), JavaCode.of(model, proposal));
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Compiles all files at once. Returns the errors. */
  private List<String> compile(List<Source> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(classes.toFile()));
      List<String> options =
          List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
      compiler.getTask(null, files, found, options, null, sources).call();
    }
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .limit(10)
        .toList();
  }

  @Test
  void theCodeOfTheGuidesExamplesCompiles() throws IOException {
    List<Source> sources = new ArrayList<>();
    GuideExamples.byName()
        .forEach(
            (name, example) -> {
              for (Proposal proposal : Proposals.of(example.model())) {
                sources.add(Source.of("guide" + sources.size(), name, proposal));
              }
            });
    assertThat(sources).hasSizeGreaterThan(GuideExamples.byName().size());
    assertThat(compile(sources)).isEmpty();
  }

  /** The system properties models.seed and models.count choose others. */
  @Test
  void theCodeOfRandomModelsCompiles() throws IOException {
    long seed = Long.getLong("models.seed", 1);
    Random random = new Random(seed);
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < RANDOM_MODELS; i++) {
      RandomModel made = new RandomModel(random);
      for (Proposal proposal : Proposals.of(made.model())) {
        sources.add(Source.of("random" + sources.size(), made.name(), proposal));
      }
    }
    assertThat(compile(sources)).as("seed %d", seed).isEmpty();
  }

  /** Stores expense claims and asks for the newest ones of an employee. */
  private static final String EXPENSES =
      """
      import java.time.Instant;
      import java.util.function.Function;
      import java.util.stream.Collectors;

      public final class Driver implements Function<DemoTables, String> {
        @Override
        public String apply(DemoTables tables) {
          for (int i = 0; i < 15; i++) {
            Instant time = Instant.parse("2026-03-01T00:00:00Z").plusSeconds(7919L * (i * 7 % 15));
            tables.insertExpense(DemoTables.Expense.of("000123", "c" + i * 7 % 15, time, i));
            tables.insertExpense(DemoTables.Expense.of("000124", "d" + i, time, i));
          }
          return tables
              .listExpenseByEmpidNewestFirst("000123")
              .map(DemoTables.Expense::claim)
              .collect(Collectors.joining(" "));
        }
      }
      """;

  /** Whatever the proposal, the ten newest claims come back in order. */
  @Test
  void everyProposalFindsTheNewestClaims() throws Exception {
    assertThat(run("log-tail", 4, EXPENSES))
        .hasSizeGreaterThan(1)
        .allSatisfy(
            (title, found) ->
                assertThat(found).as(title).isEqualTo("c14 c13 c12 c11 c10 c9 c8 c7 c6 c5"));
  }

  private static final String EMPLOYEES =
      """
      import java.util.function.Function;
      import java.util.stream.Collectors;
      import java.util.stream.Stream;

      public final class Driver implements Function<DemoTables, String> {
        private static String names(Stream<DemoTables.Employee> found) {
          return found
              .map(DemoTables.Employee::lastName)
              .sorted()
              .collect(Collectors.joining(","));
        }

        @Override
        public String apply(DemoTables tables) {
          String[] names = {"Adams", "Brown", "Clark", "Davis"};
          for (int i = 0; i < names.length; i++) {
            String email = names[i].toLowerCase(java.util.Locale.ROOT) + "@contoso.com";
            tables.insertEmployee(
                DemoTables.Employee.of("Sales", i + 5, "A", names[i], 30, email));
          }
          return names(tables.readEmployeeByDepartmentAndEmpid("Sales", 6).stream())
              + " " + names(tables.readEmployeeByDepartmentAndEmail("Sales", "clark@contoso.com").stream())
              + " " + names(tables.listEmployeeByDepartmentBetweenEmpid("Sales", 6, 8))
              + " " + names(tables.listEmployeeByDepartmentStartingWithEmail("Sales", "d"));
        }
      }
      """;

  /** Points, ranges and prefixes, on the entities and on copies of them. */
  @Test
  void theFirstProposalFindsEmployees() throws Exception {
    assertThat(run("intra-partition-index", 1, EMPLOYEES, "insert Employee 1/min"))
        .containsValue("Brown Clark Brown,Clark Davis");
  }

  /** Runs a program with the first proposals for an example, as far as they need only tables. */
  private Map<String, String> run(String example, int max, String program, String... also)
      throws Exception {
    List<String> accesses = new ArrayList<>(GuideExamples.byName().get(example).accesses());
    accesses.addAll(List.of(also));
    Model model = Model.of(GuideExamples.byName().get(example).entities(), accesses);
    List<Proposal> proposals = Proposals.of(model).stream().limit(max).toList();
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < proposals.size(); i++) {
      sources.add(Source.of("run" + i, "demo", proposals.get(i)));
      sources.add(new Source("run" + i, "Driver", program));
    }
    assertThat(compile(sources)).isEmpty();
    Map<String, String> results = new LinkedHashMap<>();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      for (int i = 0; i < proposals.size(); i++) {
        Proposal proposal = proposals.get(i);
        Constructor<?> constructor =
            loader.loadClass("run" + i + "." + JavaCode.className("demo", proposal))
                .getConstructors()[0];
        if (constructor.getParameterCount() == 1) {
          Class<?> driver = loader.loadClass("run" + i + ".Driver");
          results.put(proposal.title(), run(proposal, constructor, driver));
        }
      }
    }
    return results;
  }

  @SuppressWarnings("unchecked")
  private static String run(Proposal proposal, Constructor<?> repository, Class<?> driver)
      throws ReflectiveOperationException {
    TableServiceAsyncClient tables = ACCOUNT.tables();
    List<String> names =
        proposal.tables().stream().map(TableDesign::table).distinct().collect(Collectors.toList());
    names.forEach(name -> tables.createTable(name).block());
    try {
      Object made = repository.newInstance(tables);
      return ((Function<Object, String>) driver.getConstructor().newInstance()).apply(made);
    } catch (InvocationTargetException e) {
      throw new AssertionError(proposal.title(), e.getCause());
    } finally {
      names.forEach(name -> tables.deleteTable(name).block());
    }
  }
}
