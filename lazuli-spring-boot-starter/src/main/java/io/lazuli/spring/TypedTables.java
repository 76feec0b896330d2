package io.lazuli.spring;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import io.lazuli.client.table.Table;
import java.util.Objects;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.ResolvableType;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Registers a bean {@code Table<T>} for each {@link StoredIn} type in the packages of the
 * application, unless the application has a bean of that type.
 */
final class TypedTables implements BeanDefinitionRegistryPostProcessor {
  /** Unlike components, entity types may be interfaces: sealed families are. */
  private static final class Types extends ClassPathScanningCandidateComponentProvider {
    Types() {
      super(false);
      addIncludeFilter(new AnnotationTypeFilter(StoredIn.class, false));
    }

    @Override
    protected boolean isCandidateComponent(AnnotatedBeanDefinition found) {
      return found.getMetadata().isIndependent();
    }
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    ConfigurableListableBeanFactory beans = (ConfigurableListableBeanFactory) registry;
    if (!AutoConfigurationPackages.has(beans)) {
      return;
    }
    Types types = new Types();
    for (String root : AutoConfigurationPackages.get(beans)) {
      for (BeanDefinition found : types.findCandidateComponents(root)) {
        register(registry, beans, found);
      }
    }
  }

  private static void register(
      BeanDefinitionRegistry registry,
      ConfigurableListableBeanFactory beans,
      BeanDefinition found) {
    String typeName = Objects.requireNonNull(found.getBeanClassName());
    Class<?> type = ClassUtils.resolveClassName(typeName, beans.getBeanClassLoader());
    ResolvableType table = ResolvableType.forClassWithGenerics(Table.class, type);
    if (beans.getBeanNamesForType(table, true, false).length > 0) {
      return;
    }
    RootBeanDefinition definition = new RootBeanDefinition();
    definition.setTargetType(table);
    definition.setInstanceSupplier(() -> open(beans, type));
    definition.setResourceDescription("@StoredIn of " + typeName);
    registry.registerBeanDefinition("lazuliTable." + typeName, definition);
  }

  private static <T> Table<T> open(ConfigurableListableBeanFactory beans, Class<T> type) {
    StoredIn annotation = Objects.requireNonNull(type.getAnnotation(StoredIn.class));
    String name = Objects.requireNonNull(beans.resolveEmbeddedValue(annotation.value()));
    TableServiceClient service = beans.getBean(TableServiceClient.class);
    if (beans.getBean(LazuliProperties.class).createTables()) {
      service.createTableIfNotExists(name);
    }
    TableClient client = service.getTableClient(name);
    return Table.of(client, type);
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {}
}
