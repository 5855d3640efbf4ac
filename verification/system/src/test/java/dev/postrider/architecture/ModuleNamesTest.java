package dev.postrider.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Names of modules, by which applications on the module path require our jars. */
class ModuleNamesTest {

    @Test
    void eachModuleHasANameOfItsOwn() {
        assertThat(PublishedModule.all())
                .hasSizeGreaterThan(20)
                .extracting(PublishedModule::name)
                .doesNotHaveDuplicates();
    }

    @Test
    void eachModuleIsNamedLikeItsRootPackage() throws IOException {
        for (PublishedModule module : PublishedModule.all()) {
            assertThat(module.name()).as(module.artifact()).isEqualTo(root(module.packages("src/main/java")));
        }
    }

    /** Tests of the engine are beside it, where whoever changes it looks for them. */
    @Test
    void noOtherModuleHasTestsInAPackageOfCore() throws IOException {
        List<String> core = PublishedModule.all().get(0).packages("src/main/java");
        assertThat(core).contains("dev.postrider.relay");

        for (PublishedModule module :
                PublishedModule.all().subList(1, PublishedModule.all().size())) {
            assertThat(module.packages("src/test/java")).as(module.artifact()).doesNotContainAnyElementsOf(core);
        }
    }

    /** The longest name that all of these packages begin with. */
    private static String root(List<String> packages) {
        String root = packages.get(0);
        while (!packages.stream().allMatch(startsWith(root))) {
            root = root.substring(0, root.lastIndexOf('.'));
        }
        return root;
    }

    private static Predicate<String> startsWith(String root) {
        return name -> name.equals(root) || name.startsWith(root + ".");
    }
}
