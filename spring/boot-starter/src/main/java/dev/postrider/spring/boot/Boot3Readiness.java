package dev.postrider.spring.boot;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.actuate.health.AdditionalHealthEndpointPath;
import org.springframework.boot.actuate.health.HealthEndpointGroup;
import org.springframework.boot.actuate.health.HealthEndpointGroups;
import org.springframework.boot.actuate.health.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.actuate.health.HttpCodeStatusMapper;
import org.springframework.boot.actuate.health.StatusAggregator;

/** The outboxes are part of the group that says whether the application is ready, in the packages of Spring Boot 3. */
final class Boot3Readiness implements HealthEndpointGroupsPostProcessor {

    @Override
    public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
        return groups.get(OutboxHealth.READINESS) == null ? groups : new Groups(groups);
    }

    /** All groups, and that one with the outboxes. */
    private record Groups(HealthEndpointGroups groups) implements HealthEndpointGroups, AdditionalPathsMapper {

        @Override
        public HealthEndpointGroup getPrimary() {
            return groups.getPrimary();
        }

        @Override
        public Set<String> getNames() {
            return groups.getNames();
        }

        @Override
        public @Nullable HealthEndpointGroup get(String name) {
            HealthEndpointGroup group = groups.get(name);
            return group != null && name.equals(OutboxHealth.READINESS) ? new Readiness(group) : group;
        }

        @Override
        public @Nullable List<String> getAdditionalPaths(EndpointId endpoint, WebServerNamespace namespace) {
            return groups instanceof AdditionalPathsMapper mapper
                    ? mapper.getAdditionalPaths(endpoint, namespace)
                    : null;
        }
    }

    private record Readiness(HealthEndpointGroup group) implements HealthEndpointGroup {

        @Override
        public boolean isMember(String name) {
            return name.equals(PostriderProperties.ROOT) || group.isMember(name);
        }

        @Override
        public boolean showComponents(SecurityContext context) {
            return group.showComponents(context);
        }

        @Override
        public boolean showDetails(SecurityContext context) {
            return group.showDetails(context);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return group.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return group.getHttpCodeStatusMapper();
        }

        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return group.getAdditionalPath();
        }
    }
}
