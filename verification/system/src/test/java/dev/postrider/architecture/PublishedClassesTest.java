package dev.postrider.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.postrider.spi.Destination;
import dev.postrider.spi.ForwardingDestination;
import org.junit.jupiter.api.Test;

/** Names and habits that we avoid in published classes. */
class PublishedClassesTest {
    @Test
    void namesSayTheDuty() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .check(OurClasses.ALL);
    }

    /** The null check of the build looks at marked packages only. */
    @Test
    void everyPackageIsMarkedToHaveNoNull() {
        assertThat(OurClasses.ALL.stream().map(JavaClass::getPackage).distinct())
                .filteredOn(each -> !each.isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .isEmpty();
    }

    @Test
    void noPublishedModuleTurnsTheNullCheckOff() {
        assertThat(PublishedModule.all())
                .filteredOn(module -> module.property("nullaway").isPresent())
                .extracting(PublishedModule::artifact)
                .isEmpty();
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.postrider.cli..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(OurClasses.ALL);
    }

    @Test
    void nobodyUsesJavaUtilLoggingButToSilenceADriver() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.postrider.cli.DriverLog")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(OurClasses.ALL);
    }

    /** One that forwards only one of the two ways to send would lose the fence of a lane. */
    @Test
    void destinationsAroundOthersForwardBothWaysToSend() {
        classes()
                .that(areDestinationsWithAnother())
                .should()
                .beAssignableTo(ForwardingDestination.class)
                .check(OurClasses.ALL);
    }

    private static DescribedPredicate<JavaClass> areDestinationsWithAnother() {
        return JavaClass.Predicates.implement(Destination.class)
                .and(DescribedPredicate.describe(
                        "have a field for another",
                        type -> type.getAllFields().stream()
                                .anyMatch(field -> field.getRawType().isAssignableTo(Destination.class))));
    }
}
