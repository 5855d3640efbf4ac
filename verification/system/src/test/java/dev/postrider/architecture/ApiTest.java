package dev.postrider.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.postrider.internal.Internal;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** Public types, VERSIONING.md and the comparison with the last release agree on what is API. */
class ApiTest {

    private static final Set<String> API_PACKAGES = VersioningPage.apiPackages();
    private static final DescribedPredicate<JavaClass> API =
            DescribedPredicate.describe("visible to users", ApiTest::isVisible).and(not(Internals.INTERNAL));

    @Test
    void publicTypesAreInApiPackagesOrMarkedInternal() {
        classes()
                .that(API)
                .should(ArchCondition.from(resideInAnyPackage(API_PACKAGES.toArray(String[]::new))))
                .check(OurClasses.ALL);
    }

    @Test
    void apiPackagesHaveTypesForUsers() {
        Set<String> used = OurClasses.ALL.stream()
                .filter(API)
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
        assertThat(used).containsAll(API_PACKAGES);
    }

    @Test
    void apiShowsNoInternalType() {
        classes().that(API).should(new ShowNoInternalType()).check(OurClasses.ALL);
    }

    /** A package that the comparison does not exclude would be held to promises that nobody made. */
    @Test
    void comparisonLeavesOutInternalPackages() {
        NodeList excludes = PublishedModule.pom(PublishedModule.ROOT).getElementsByTagName("exclude");
        Set<String> excluded = Stream.iterate(0, index -> index < excludes.getLength(), index -> index + 1)
                .map(index -> excludes.item(index).getTextContent())
                .collect(Collectors.toSet());
        Set<String> uncompared = PublishedModule.all().stream()
                .filter(module -> module.property("api.skip").isPresent())
                .map(PublishedModule::name)
                .collect(Collectors.toSet());
        Set<String> internal = OurClasses.ALL.stream()
                .map(JavaClass::getPackage)
                .filter(Internals::isInternal)
                .map(inside -> inside.getName())
                .filter(name -> uncompared.stream().noneMatch(module -> (name + ".").startsWith(module + ".")))
                .collect(Collectors.toSet());
        internal.add("@" + Internal.class.getName());
        assertThat(excluded).isEqualTo(internal);
    }

    private static boolean isVisible(JavaClass type) {
        boolean isOpen = type.getModifiers().contains(JavaModifier.PUBLIC)
                || type.getModifiers().contains(JavaModifier.PROTECTED);
        return isOpen && type.getEnclosingClass().map(ApiTest::isVisible).orElse(true);
    }

    /** Neither as a parent nor in what users can call. */
    private static final class ShowNoInternalType extends ArchCondition<JavaClass> {

        ShowNoInternalType() {
            super("show no internal type");
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                    .filter(Internals.INTERNAL)
                    .forEach(parent -> tell(events, type, type.getName() + " is a " + parent.getName()));
            type.getMembers().stream()
                    .filter(ShowNoInternalType::isCallable)
                    .forEach(member -> member.getAllInvolvedRawTypes().stream()
                            .filter(Internals.INTERNAL)
                            .forEach(shown -> tell(events, type, member.getFullName() + " shows " + shown.getName())));
        }

        private static boolean isCallable(JavaMember member) {
            Set<JavaModifier> modifiers = member.getModifiers();
            boolean isOpen = modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
            return isOpen && !modifiers.contains(JavaModifier.SYNTHETIC) && !member.isAnnotatedWith(Internal.class);
        }

        private static void tell(ConditionEvents events, JavaClass type, String problem) {
            events.add(SimpleConditionEvent.violated(type, problem));
        }
    }
}
